"""What is known of a page before it is looked at again: its snapshot, and who cites it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from jw_eval_store.domain.evidence import Evidence
from jw_eval_store.pages.fetching.results import Validators
from jw_eval_store.pages.fingerprints import versions
from jw_eval_store.pages.reduce import reduce_page
from jw_eval_store.text.anchors import Anchor
from jw_eval_store.text.passages import SearchableText, searchable
from jw_eval_store.text.urls import parse_url


@dataclass(frozen=True)
class Cited:
    """One case's citation of a page; `language` is BCP 47. Any one of the phrases suffices."""

    case_id: str
    url: str
    phrases: tuple[str, ...] = ()
    language: str = "und"

    @property
    def anchor(self) -> Anchor | None:
        """The verse or paragraph that is meant; none: the whole page."""
        return parse_url(self.url).anchor

    def stands_in(self, text: SearchableText) -> bool:
        """Whether a text bears the citation out, at the place that it names."""
        if not self.phrases:
            return self.anchor is None or bool(text.within(self.anchor))
        return any(text.holds(phrase, self.anchor) for phrase in self.phrases)


@dataclass(frozen=True)
class KnownPage:
    """A page's current snapshot. Hashes and headers are those of the whole page, where known."""

    evidence: Evidence
    html: str
    scope: str = "page"
    final_url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    bytes_hash: str | None = None
    text_hash: str | None = None
    structure_hash: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_of_the_site(self) -> bool:
        """Whether it is a state of the page at all; authored evidence is none."""
        return self.evidence.origin != "authored"

    @cached_property
    def text(self) -> SearchableText:
        """Its text, ready for searching."""
        return searchable(self.evidence)

    @cached_property
    def unproven(self) -> tuple[str, ...]:
        """What it lacked itself of a healthy page's proofs; accepted with it."""
        return reduce_page(self.html, self.evidence.fetch_key).unproven

    @property
    def has_todays_fingerprints(self) -> bool:
        """Whether its hashes were made by today's rules, so that they may be compared."""
        return dict(self.versions) == versions() and bool(self.text_hash and self.structure_hash)

    def is_at(self, fetch_key: str) -> bool:
        """Whether a page that answers there is where the snapshot was found."""
        return fetch_key in (self.evidence.fetch_key, parse_url(self.final_url or "").fetch_key)

    def validators(self, cited: tuple[Cited, ...]) -> Validators:
        """What to ask for an unchanged page with; none where the snapshot could not answer."""
        enough = self.is_of_the_site and all(one.stands_in(self.text) for one in cited)
        return Validators.of(self.headers) if enough else Validators()
