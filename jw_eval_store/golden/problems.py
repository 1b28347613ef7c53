"""What is wrong with a file, said by line and cause, with the nearest key that exists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from jw_eval_store.text.nearest import nearest as nearest_name

if TYPE_CHECKING:
    from jw_eval_store.domain.reports import InvalidFile


class Refused(Exception):  # noqa: N818 - not an error of the tool, but an answer about a file
    """A file that cannot be read, at a line (from 1), with the next step."""

    def __init__(self, message: str, line: int | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.hint = hint

    def at(self, path: str) -> InvalidFile:
        """The same, as it is reported."""
        from jw_eval_store.domain.reports import InvalidFile

        return InvalidFile(path=path, line=self.line, message=self.message, hint=self.hint)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` most likely stands for, whatever its case, if any is near."""
    return nearest_name(word.strip(), known)


def shown(text: object, limit: int = 60) -> str:
    """A value as a message shows it: quoted, invisible characters escaped, cut to `limit`."""
    whole = text if isinstance(text, str) else repr(text)
    cut = whole if len(whole) <= limit else whole[: limit - 3] + "..."
    return f"'{visible(cut)}'"


def visible(text: str) -> str:
    """The text with its invisible characters escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
