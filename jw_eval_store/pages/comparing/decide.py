"""Give a page that was fetched again its one status, by explicit rules.

1. No page came: what fetching came to (a 304 is unchanged).
2. A wall stands in its place: blocked.
3. It lacks proofs of being the page asked for, and does not hold what it is cited for: soft_404.
4. A citation is broken: claim_changed, quote_missing, or structure_changed where an anchor is lost.
5. It answers at another address than the accepted one: moved.
6. It holds all quotes, but lacks proofs: structure_changed, a problem.
7. Without a snapshot of the site: uncompared. Else by fingerprints: unchanged, structure_changed,
   text_changed, cosmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from jw_eval_store.domain.checks import PROBLEMS, CitationCheck, PageCheck, PageStatus
from jw_eval_store.pages.comparing.citations import broken
from jw_eval_store.pages.comparing.known import Cited, KnownPage
from jw_eval_store.pages.comparing.passages import added_passages, changed_passages
from jw_eval_store.pages.comparing.walls import wall
from jw_eval_store.pages.fetching.charset import text_of
from jw_eval_store.pages.fetching.results import Fetched
from jw_eval_store.pages.fingerprints import Fingerprints, fingerprints
from jw_eval_store.pages.reduce import ReducedPage, reduce_page
from jw_eval_store.text.passages import SearchableText, searchable
from jw_eval_store.text.urls import parse_url

StructureRule = Literal["lost_anchor", "any"]
"""Which changes of structure are problems."""

_WORST_FIRST: tuple[PageStatus, ...] = ("claim_changed", "quote_missing", "structure_changed")


@dataclass(frozen=True)
class Finding:
    """A status with what speaks for it; it holds for all who cite the page."""

    status: PageStatus
    problem: bool = False
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class LivePage:
    """A page as it came now, reduced, beside its snapshot."""

    fetched: Fetched
    html: str
    reduced: ReducedPage
    prints: Fingerprints
    text: SearchableText
    known: KnownPage | None

    @property
    def compared(self) -> KnownPage | None:
        """The snapshot, if it is a state of the site's page."""
        return self.known if self.known and self.known.is_of_the_site else None


def live_page(fetch_key: str, fetched: Fetched, known: KnownPage | None) -> LivePage:
    """Reduce a page that came."""
    html = text_of(fetched.body, fetched.headers.get("content-type", ""))
    reduced = reduce_page(html, fetch_key)
    text = searchable(reduced.evidence("captured"))
    return LivePage(fetched, html, reduced, fingerprints(fetched.body, reduced), text, known)


def check_page(
    fetch_key: str,
    fetched: Fetched,
    known: KnownPage | None,
    cited: Sequence[Cited],
    *,
    at: str,
    structure: StructureRule = "lost_anchor",
) -> PageCheck:
    """Compare what was fetched with the snapshot, for all who cite the page. `at`: ISO 8601."""
    if fetched.outcome != "page":
        return whole_check(fetch_key, _not_a_page(fetched), cited, at=at, fetched=fetched)
    page = live_page(fetch_key, fetched, known)
    if found := _another_page(page, cited):
        return whole_check(fetch_key, found, cited, at=at, fetched=fetched)
    general = _general(page, structure)
    broken_ones = [broken(one, page.text, page.compared) for one in cited]
    checks = [wrong or _as(general, one) for wrong, one in zip(broken_ones, cited, strict=True)]
    worst = _worst([wrong for wrong in broken_ones if wrong]) or general
    known_text = page.compared.text if page.compared else None
    changes = changed_passages(known_text, page.text) if known_text else ()
    if known_text and page.compared and page.compared.scope == "page":
        changes += added_passages(known_text, page.text)
    return whole_check(fetch_key, worst, (), at=at, fetched=fetched).model_copy(
        update={
            "citations": tuple(checks),
            "passages": changes,
            "bytes_hash": page.prints.bytes_hash,
            "text_hash": page.prints.text_hash,
            "structure_hash": page.prints.structure_hash,
        }
    )


def whole_check(
    fetch_key: str,
    finding: Finding,
    cited: Sequence[Cited],
    *,
    at: str,
    fetched: Fetched | None = None,
) -> PageCheck:
    """A check whose finding holds for the page and all who cite it."""
    return PageCheck(
        fetch_key=fetch_key,
        status=finding.status,
        problem=finding.problem,
        checked_at=at,
        reasons=finding.reasons,
        http_status=fetched.status if fetched else None,
        final_url=fetched.final_url if fetched else None,
        citations=tuple(_as(finding, one) for one in cited),
    )


def _as(finding: Finding, cited: Cited) -> CitationCheck:
    return CitationCheck(
        case_id=cited.case_id,
        url=cited.url,
        status=finding.status,
        problem=finding.problem,
        reasons=finding.reasons,
    )


def _not_a_page(fetched: Fetched) -> Finding:
    if fetched.outcome == "not_modified":
        return Finding("unchanged", reasons=("the site says that it was not modified",))
    status: PageStatus = "unreachable" if fetched.outcome == "page" else fetched.outcome
    way = f" (by way of {', '.join(fetched.hops)})" if fetched.hops else ""
    return Finding(status, status in PROBLEMS, (fetched.reason + way,))


def _another_page(page: LivePage, cited: Sequence[Cited]) -> Finding | None:
    """A wall, or an error page with status 200; none where it is the page asked for."""
    missing = _missing_proofs(page)
    if not missing or _holds_all(page.text, cited):
        return None
    empty = not page.reduced.passages or missing[0] == "it has no article"
    if empty and (name := wall(page.html)):
        return Finding("blocked", reasons=(f"{name} stands in the page's place",))
    return Finding("soft_404", True, missing)


def _missing_proofs(page: LivePage) -> tuple[str, ...]:
    accepted = page.compared.unproven if page.compared else ()
    return tuple(proof for proof in page.reduced.unproven if proof not in accepted)


def _holds_all(text: SearchableText, cited: Sequence[Cited]) -> bool:
    """Whether all phrases stand somewhere on the page, which proves it as well as its marks do."""
    quoted = [one for one in cited if one.phrases]
    return bool(quoted) and all(any(map(text.holds, one.phrases)) for one in quoted)


def _general(page: LivePage, structure: StructureRule) -> Finding:
    """What holds for citations that are not broken."""
    key, final = page.reduced.fetch_key, parse_url(page.fetched.final_url).fetch_key
    if final != key and not (page.known and page.known.is_at(final)):
        return Finding("moved", True, (f"it answers at {final} now",))
    if missing := _missing_proofs(page):
        return Finding("structure_changed", True, missing)
    if page.compared is None:
        return Finding("uncompared", reasons=(_uncompared(page.known),))
    return _compared(page, page.compared, structure)


def _uncompared(known: KnownPage | None) -> str:
    what = "its snapshot is authored, no state of the page" if known else "it has no snapshot"
    return f"{what}: jw-eval snapshots build --missing"


def _compared(page: LivePage, known: KnownPage, structure: StructureRule) -> Finding:
    prints = page.prints
    if prints.bytes_hash == known.bytes_hash:
        return Finding("unchanged")
    if not known.has_todays_fingerprints:
        return _by_passages(page.text, known)
    text = prints.text_hash != known.text_hash
    if prints.structure_hash != known.structure_hash:
        also = (" and text",) if text else ("",)
        reason = f"the elements that carry its anchors{also[0]} changed"
        return Finding("structure_changed", structure == "any", (reason,))
    return Finding("text_changed" if text else "cosmetic")


def _by_passages(text: SearchableText, known: KnownPage) -> Finding:
    """Where the snapshot's fingerprints are missing or made by other rules, its passages tell."""
    note = "its snapshot has no fingerprints of this version, so only its passages were compared"
    return Finding("text_changed" if changed_passages(known.text, text) else "cosmetic",
                   reasons=(note,))  # fmt: skip


def _worst(found: list[CitationCheck]) -> Finding | None:
    for status in _WORST_FIRST:
        reasons = [
            f"{one.case_id}: {reason}"
            for one in found
            if one.status == status
            for reason in one.reasons
        ]
        if any(one.status == status for one in found):
            return Finding(status, True, tuple(dict.fromkeys(reasons)))
    return None
