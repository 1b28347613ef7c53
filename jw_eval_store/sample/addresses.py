"""Pages of wol.jw.org that the sample agents cite, by language.

English cites the American Standard Version, which the site hosts. It hosts neither Reina-Valera
1909 nor Almeida 1911, so the other languages cite the site's own page of the same verse.
"""

from __future__ import annotations

from jw_eval_store.sample.library import Verse

SITE = "https://wol.jw.org"

_PATHS = {
    "en": ("en", "r1/lp-e", "bi22"),
    "es": ("es", "r4/lp-s", "nwt"),
    "pt": ("pt", "r5/lp-t", "nwt"),
    "ase": ("ase", "r266/lp-asl", "nwt"),
}
"""Per BCP 47 tag: language in the path, region and library, Bible edition."""


def verse_url(language: str, verse: Verse) -> str:
    """The chapter's page, with the verse in the fragment."""
    tag, library, edition = _PATHS[language]
    page = f"{SITE}/{tag}/wol/b/{library}/{edition}/{verse.book}/{verse.chapter}"
    return f"{page}#study=discover&v={verse}"


def document_url(language: str, docid: int) -> str:
    """A document's page; its number is the same in every language."""
    tag, library, _ = _PATHS[language]
    return f"{SITE}/{tag}/wol/d/{library}/{docid}"
