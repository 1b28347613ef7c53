"""The pages that cases cite, each with all who cite it: a page is fetched once for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from jw_eval_store.domain.cases import CitationCase, SemanticCase
from jw_eval_store.domain.errors import EmptySelectionError
from jw_eval_store.domain.selections import Selection
from jw_eval_store.pages.comparing.known import Cited, KnownPage
from jw_eval_store.runs.selecting import selected
from jw_eval_store.store.cases import Case, CaseRow, load_cases, select_cases
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.snapshots import SnapshotRow
from jw_eval_store.text.urls import fetch_url, parse_url


@dataclass(frozen=True)
class CitedPage:
    """A page by fetch key, and who cites it."""

    fetch_key: str
    cited: tuple[Cited, ...]

    @property
    def fetch_url(self) -> str:
        """What to ask the site for."""
        return fetch_url(self.cited[0].url)


def cited_by(conn: Connection, rows: Iterable[CaseRow]) -> dict[str, CitedPage]:
    """The pages that these cases cite, by fetch key, in its order."""
    cases = load_cases(conn, [row.revision for row in rows])
    found: dict[str, list[Cited]] = {}
    for case in cases.values():
        for one in citations_of(case):
            found.setdefault(parse_url(one.url).fetch_key, []).append(one)
    return {key: CitedPage(key, tuple(found[key])) for key in sorted(found)}


def citations_of(case: Case) -> Iterator[Cited]:
    """What one case cites."""
    if isinstance(case, CitationCase):
        for citation in case.expected.expected_citations:
            yield Cited(case.id, citation.url, case.expected.phrases_for(citation), case.language)
    elif isinstance(case, SemanticCase):
        for citation in case.expected.expected_citations:
            yield Cited(case.id, citation.url, citation.phrases, case.language)


def pages_selected(
    conn: Connection, selection: Selection, *, bundled: bool | None
) -> list[CitedPage]:
    """The pages that selected cases cite, each with **all** cases in force that cite it.

    Raises EmptySelectionError where nothing is selected, or nothing selected cites a page.
    """
    chosen = cited_by(conn, selected(conn, selection, layers_asked=False, bundled=bundled))
    if not chosen:
        raise EmptySelectionError(
            "the selected cases cite no page", hint="select cases of layer 2, or all of them"
        )
    everyone = cited_by(conn, select_cases(conn, Selection(layers=("l2", "l3")), bundled=bundled))
    return [everyone[key] for key in chosen]


def known_page(row: SnapshotRow | None) -> KnownPage | None:
    """A stored snapshot as the comparison wants it."""
    if row is None:
        return None
    return KnownPage(
        evidence=row.evidence,
        html=row.html,
        scope=row.scope,
        final_url=row.final_url,
        headers=row.headers,
        bytes_hash=row.bytes_hash,
        text_hash=row.text_hash,
        structure_hash=row.structure_hash,
        versions=row.versions,
    )
