"""The stored state of a cited page, as the citation layer sees it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from jw_eval_store.domain.hashing import json_hash

Origin = Literal["captured", "imported", "authored"]
ORIGINS: tuple[Origin, ...] = ("captured", "imported", "authored")


@dataclass(frozen=True)
class Passage:
    """A verse or paragraph: `anchor` is `v43:3:16` or `p12`, empty for text outside of both."""

    anchor: str
    text: str


@dataclass(frozen=True)
class Evidence:
    """One snapshot of a page: visible text by anchor, in page order, and where it came from.

    `fetch_key` is the URL without fragment and tracking parameters (see `text.urls`).
    """

    fetch_key: str
    origin: Origin
    passages: tuple[Passage, ...]

    @property
    def text(self) -> str:
        """The whole visible text, a line per passage."""
        return "\n".join(passage.text for passage in self.passages)

    @cached_property
    def content_hash(self) -> str:
        """Content address of the text by anchor: what a verdict depends on."""
        return json_hash([[passage.anchor, passage.text] for passage in self.passages])
