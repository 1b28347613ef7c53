"""`run --live`: judge L2 cases by what the cited pages say now. No agent runs.

A problem of a page that a case cites fails the case; a page that could not be decided makes it an
error. Statuses are stored as looks at pages (`v_drift`), and no run is stored: verdicts of the live
site are not to be reused, nor mixed with those of agents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from importlib.metadata import version
from typing import Any

from jw_eval_store.config import Config
from jw_eval_store.domain.checks import CitationCheck, PageCheck, PageStatus
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.evaluations import VERDICTS, ReasonCode, Verdict
from jw_eval_store.domain.policies import LayerGate, Policy
from jw_eval_store.domain.reports import CaseReport, SuiteReport
from jw_eval_store.runs import git
from jw_eval_store.runs.cited import cited_by
from jw_eval_store.runs.fetching import Web
from jw_eval_store.runs.gate import judge_run
from jw_eval_store.runs.live_check import LiveCheck, Progress, look_at
from jw_eval_store.runs.policies import load_policy, with_overrides
from jw_eval_store.runs.request import RunRequest
from jw_eval_store.runs.selecting import selected
from jw_eval_store.runs.syncing import SyncReport
from jw_eval_store.runs.workspace import sync_for_verdicts
from jw_eval_store.store.cases import CaseRow
from jw_eval_store.store.connect import Connection, now, writing
from jw_eval_store.store.results import case_files

_REASON_CODES: dict[PageStatus, ReasonCode] = {
    "uncompared": "evidence_missing",
    "blocked": "evidence_blocked",
    "unreachable": "evidence_unreachable",
    "not_html": "evidence_unreadable",
    "too_large": "evidence_unreadable",
}
_WITHOUT_MEANING = (
    "since",
    "baseline",
    "resume",
    "explain",
    "fail_fast",
    "shard",
    "repeat",
    "fresh",
    "recordings",
)


def run_live(
    request: RunRequest,
    config: Config,
    *,
    gate_live: bool = False,
    progress: Progress = lambda done, total: None,
    web: Web | None = None,
) -> SuiteReport:
    """Check the pages of the selected L2 cases, and report on the cases.

    The layer blocks only where `gate_live` or a bar of the request says so. Each result's
    `details.pages` hold statuses and passages. Raises UsageError for a request that live can't
    meet, EmptySelectionError.
    """
    _refuse_other_requests(request)
    policy = _gated(load_policy(config, demonstration=request.bundled), gate_live)
    policy = with_overrides(policy, request)
    with writing(config.database) as conn:
        synced = sync_for_verdicts(conn, config, demonstration=request.bundled)
        rows = _rows(conn, request, config)
        pages = list(cited_by(conn, rows).values())
        check = look_at(conn, config, pages, progress=progress, web=web)
        results = _results(conn, rows, check)
    return _report(results, check, policy, synced, config, bundled=request.bundled)


def _refuse_other_requests(request: RunRequest) -> None:
    others = [layer for layer in request.selection.layers if layer != "l2"]
    if request.layers_asked and others:
        raise UsageError("--live looks at cited pages, which is layer 2", hint="--layer 2 --live")
    for name in _WITHOUT_MEANING:
        if getattr(request, name) != getattr(RunRequest(), name):
            flag = name.replace("_", "-")
            raise UsageError(f"--{flag} has no meaning with --live", hint=f"leave --{flag} out")
    for layer in {*request.min_pass, *request.min_decided} - {"l2"}:
        raise UsageError(
            f"a bar is set for layer {layer.upper()}, and --live looks at layer 2",
            hint="leave that bar out",
        )


def _gated(policy: Policy, gate_live: bool) -> Policy:
    """The policy with a citation layer that blocks just where it was asked for."""
    reported = LayerGate(min_pass=0.0, blocking=False)
    bar = policy.gate_of("l2")
    live = bar.model_copy(update={"blocking": True}) if gate_live else reported
    return policy.model_copy(update={"gate": {**policy.gate, "l2": live}})


def _rows(conn: Connection, request: RunRequest, config: Config) -> list[CaseRow]:
    both = config.settings.samples and not request.bundled
    selection = request.selection.model_copy(update={"layers": ("l2",)})
    bundled = None if both else request.bundled
    return selected(conn, selection, layers_asked=request.layers_asked, bundled=bundled)


def _results(conn: Connection, rows: Sequence[CaseRow], check: LiveCheck) -> list[CaseReport]:
    by_case: dict[str, list[tuple[PageCheck, CitationCheck]]] = {}
    for page in check.checks:
        for citation in page.citations:
            by_case.setdefault(citation.case_id, []).append((page, citation))
    files = case_files(conn, (row.revision for row in rows))
    return [_result(row, by_case.get(row.case_id, []), files.get(row.revision)) for row in rows]


def _result(
    row: CaseRow, citations: Sequence[tuple[PageCheck, CitationCheck]], path: str | None
) -> CaseReport:
    verdict, code = _verdict([citation for _, citation in citations])
    return CaseReport(
        case_id=row.case_id,
        layer="l2",
        verdict=verdict,
        reason_code=code,
        reasons=tuple(_reasons(citations)),
        details={"pages": [_page(page, citation) for page, citation in citations]},
        agent=row.agent,
        language=row.language,
        topic=row.topic,
        path=path,
        line=1 if path else None,
        inputs={"case": row.content_hash},
    )


def _verdict(citations: Sequence[CitationCheck]) -> tuple[Verdict, ReasonCode | None]:
    """Fail for any problem; else error where anything is undecided; else pass."""
    if any(citation.problem for citation in citations):
        return "fail", None
    undecided = [citation for citation in citations if citation.undecided]
    if undecided:
        return "error", _REASON_CODES[undecided[0].status]
    return ("pass", None) if citations else ("error", "evidence_missing")


def _reasons(citations: Sequence[tuple[PageCheck, CitationCheck]]) -> Iterator[str]:
    for page, citation in citations:
        if citation.problem or citation.undecided:
            told = "; ".join(citation.reasons)
            yield f"{page.fetch_key} is {citation.status}{': ' if told else ''}{told}"


def _page(page: PageCheck, citation: CitationCheck) -> dict[str, Any]:
    """What the JSON report tells of one citation, and of its page."""
    told = page.model_dump(mode="json", exclude={"citations", "passages", "reasons", "status"})
    return told | {
        "url": citation.url,
        "status": citation.status,
        "problem": citation.problem,
        "undecided": citation.undecided,
        "reasons": list(citation.reasons),
        "passages": [change.model_dump() for change in citation.passages or page.passages],
        "page_status": page.status,
    }


def _report(
    results: Sequence[CaseReport],
    check: LiveCheck,
    policy: Policy,
    synced: SyncReport,
    config: Config,
    *,
    bundled: bool,
) -> SuiteReport:
    counts = Counter(result.verdict for result in results)
    head = git.head(config.root)
    return SuiteReport(
        run=check.ulid,
        started_at=datetime.fromisoformat(check.started_at),
        finished_at=datetime.fromisoformat(now()),
        layers_run=("l2",),
        results=tuple(results),
        summary={"l2": _summary(counts, check)},
        gate=judge_run({"l2": counts}, policy, invalid_files=len(synced.invalid)),
        invalid_files=tuple(synced.invalid),
        notices=(*config.notices, *synced.notices, _LIVE),
        git_revision=head[0] if head else None,
        tool_version=version("jw-eval-store"),
        bundled=bundled,
    )


_LIVE = "live: cited pages were looked at, and no agent ran; history: jw-eval sql, view v_drift"


def _summary(counts: Mapping[Verdict, int], check: LiveCheck) -> dict[str, Any]:
    statuses = Counter(page.status for page in check.checks)
    tally: dict[str, Any] = {verdict: counts.get(verdict, 0) for verdict in VERDICTS}
    total = sum(tally.values())
    return tally | {"total": total, "reused": 0, "pages": dict(sorted(statuses.items()))}
