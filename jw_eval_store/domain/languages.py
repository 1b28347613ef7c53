"""One name for each language: agents take JW codes or ISO codes, reports use BCP 47."""

from __future__ import annotations

_BCP47_BY_JW_CODE = {
    "E": "en", "S": "es", "T": "pt", "F": "fr", "X": "de", "I": "it",
    "ASL": "ase", "LSM": "mfs", "LSB": "bzs", "LSE": "ssp", "LSA": "aed", "BSL": "bfi",
}  # fmt: skip
_ALIASES = {"pt-br": "pt", "pt-pt": "pt", "en-us": "en", "en-gb": "en", "es-es": "es"}

UNKNOWN_LANGUAGE = "und"
"""BCP 47's own tag for "undetermined"."""


def bcp47(code: object) -> str:
    """The BCP 47 tag of a JW code (`S`), an ISO code (`es`) or a regional tag (`es-MX`).

    JW codes are upper case and win where they are written so: `S` is Spanish. Whatever is not a
    non-empty text gives `und`; an unknown code is kept in lower case.
    """
    if not isinstance(code, str) or not code.strip():
        return UNKNOWN_LANGUAGE
    known = _BCP47_BY_JW_CODE.get(code.strip())
    lowered = code.strip().lower().replace("_", "-")
    return known or _ALIASES.get(lowered) or _single_letter(lowered) or lowered


def _single_letter(code: str) -> str | None:
    return _BCP47_BY_JW_CODE.get(code.upper()) if len(code) == 1 else None
