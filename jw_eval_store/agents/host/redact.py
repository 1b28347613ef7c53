"""Take secrets out of what was exchanged, before anything of it leaves the host.

Found by name (headers, query, JSON and form fields), by form (JSON Web Tokens), and by value: a
secret found once, or handed in by the environment, is replaced wherever else it stands. A request
is treated alike when it is looked up, so that it still matches.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote, urlsplit, urlunsplit

SECRET_NAMES = (
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key",
    "api_key", "apikey", "x-auth-token", "x-csrf-token", "access_token", "refresh_token",
    "id_token", "token", "jwt", "client_secret", "secret", "password", "passwd",
)  # fmt: skip
"""Names of fields whose values are secrets, in any case; the configuration adds to them."""

PLACEHOLDER = "REDACTED"
FAKE_TOKEN = "eyJhbGciOiJub25lIn0.eyJleHAiOjQxMDI0NDQ4MDB9.UkVEQUNURUQ"  # noqa: S105 -- says so
"""Stands for a JSON Web Token: agents that look into theirs find one that holds until 2100."""

SHORTEST = 8
"""Shorter values than this are not replaced elsewhere: they would be found by chance."""

Pairs = list[tuple[str, str]]
_TOKEN = re.compile(rb"eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}")
_TEXTUAL = re.compile(r"text|json|xml|javascript|urlencoded", re.IGNORECASE)


class Redactor:
    """Knows the names of secret fields, and learns their values as it goes."""

    def __init__(self, names: Iterable[str], values: Iterable[str]) -> None:
        self._names = {name.lower() for name in (*SECRET_NAMES, *names)}
        either = "|".join(re.escape(name) for name in sorted(self._names)).encode()
        self._fields = (
            re.compile(rb'("(?:' + either + rb')"\s*:\s*")((?:[^"\\]|\\.)*)', re.IGNORECASE),
            re.compile(rb"((?:^|[&?;])(?:" + either + rb")=)([^&#;]*)", re.IGNORECASE),
        )
        self._values: list[bytes] = []
        for value in values:
            self._learn(value.encode("utf-8", "replace"))

    def learn(self, url: str, headers: Pairs, body: bytes) -> None:
        """Note the values of secret fields, to be replaced wherever they stand."""
        for name, value in headers:
            if name.lower() in self._names:
                for part in re.split(r"[\s;,]+", value):
                    self._learn(part.partition("=")[2].encode() or part.encode())
        for text in (url.encode(), body if _is_text(headers) else b""):
            for field in self._fields:
                for _, value in field.findall(text):
                    self._learn(value)

    def url(self, url: str) -> str:
        """Without user, password, fragment and secrets."""
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        return self._text(urlunsplit((parts.scheme, host, parts.path, parts.query, "")))

    def headers(self, headers: Pairs) -> Pairs:
        """The same headers, secret ones with a placeholder."""
        return [
            (name, PLACEHOLDER if name.lower() in self._names else self._text(value))
            for name, value in headers
        ]

    def body(self, headers: Pairs, body: bytes) -> bytes:
        """A body; what is not text is left alone."""
        return self._bytes(body) if body and _is_text(headers) else body

    def _text(self, text: str) -> str:
        return self._bytes(text.encode("utf-8", "replace")).decode("utf-8", "replace")

    def _bytes(self, raw: bytes) -> bytes:
        for field in self._fields:
            raw = field.sub(rb"\1" + PLACEHOLDER.encode(), raw)
        raw = _TOKEN.sub(FAKE_TOKEN.encode(), raw)
        for value in self._values:
            raw = raw.replace(value, PLACEHOLDER.encode())
        return raw

    def _learn(self, value: bytes) -> None:
        known = value in (PLACEHOLDER.encode(), FAKE_TOKEN.encode(), b"*" * len(value))
        if len(value) < SHORTEST or known or _TOKEN.fullmatch(value):
            return
        for form in {value, quote(value, safe="").encode()} - set(self._values):
            self._values.append(form)
        self._values.sort(key=len, reverse=True)


def _is_text(headers: Pairs) -> bool:
    kinds = [value for name, value in headers if name.lower() == "content-type"]
    return not kinds or bool(_TEXTUAL.search(kinds[0]))
