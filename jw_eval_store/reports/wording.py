"""The words that all formats share: the verdict line, what comes first, and clean text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from jw_eval_store.domain.comparisons import Comparison
from jw_eval_store.resources import bundled
from jw_eval_store.text.plurals import plural

if TYPE_CHECKING:
    from jw_eval_store.domain.cases import Layer
    from jw_eval_store.domain.histories import ExplainedResult
    from jw_eval_store.domain.reports import AgentCounts, CaseReport, SuiteReport

VERDICT_WORDS = {
    "passed": "PASSED",
    "failed": "FAILED",
    "undecided": "UNDECIDED",
    "invalid": "INVALID",
    "empty": "EMPTY",
    "interrupted": "INTERRUPTED",
}
REPORTED = "REPORTED"
"""In place of PASSED where nothing that was judged could have failed the run."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_RANK = {"fail": 0, "error": 1, "skip": 2, "pass": 3}


def clean(text: str) -> str:
    """Text of an agent made safe to print: control characters and surrogates are spelt out."""
    return _CONTROL.sub(
        lambda found: found[0].encode("unicode_escape", "surrogatepass").decode("ascii"),
        text.replace("\r\n", "\n"),
    )


def one_line(text: str, limit: int = 500) -> str:
    """Clean text on one line, cut at `limit` characters with a sign that it was."""
    line = " ".join(clean(text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def shortened(text: str, digits: int = 12) -> str:
    """Hashes and revisions with their first digits; what stands before or behind them stays."""
    return re.sub(rf"\b([0-9a-f]{{{digits}}})[0-9a-f]+", r"\1", text)


def worst_first(results: Iterable[CaseReport]) -> list[CaseReport]:
    """Failures, then errors, skips and passes; by layer, agent and id within each."""
    return sorted(results, key=lambda r: (_RANK[r.verdict], r.layer, r.agent, r.case_id))


def problems(report: SuiteReport) -> list[CaseReport]:
    """The cases that failed or could not be decided, worst first."""
    return [r for r in worst_first(report.results) if r.verdict in ("fail", "error")]


def place(path: str | None, line: int | None) -> str:
    """`file.yaml:3`, from the current folder where it lies below; or what is known of it.

    What came with jw-eval is `(bundled) seeds/l1/file.yaml:3`, wherever it is installed.
    """
    shown = _from_here(path) if path else ""
    return f"{shown}:{line}" if shown and line else shown


def _from_here(path: str) -> str:
    with suppress(ValueError, OSError):
        return Path(path).relative_to(Path.cwd()).as_posix()
    with suppress(ValueError, OSError):
        return f"(bundled) {Path(path).relative_to(bundled('seeds').parent).as_posix()}"
    return path


def reasons_of(result: CaseReport | ExplainedResult) -> list[str]:
    """Why, a line each; a reason code where the layer gave no words. Never empty."""
    reasons = [one_line(reason) for reason in result.reasons if reason.strip()]
    return reasons or [result.reason_code or "no reason was given"]


def duration(report: SuiteReport) -> str:
    """How long the run took, for people."""
    seconds = max(0.0, (report.finished_at - report.started_at).total_seconds())
    minutes, rest = divmod(seconds, 60)
    return f"{int(minutes)} min {rest:.0f} s" if minutes else f"{seconds:.1f} s"


def counts(results: Iterable[CaseReport]) -> dict[str, int]:
    """How many of each verdict, and how many were reused."""
    tally = dict.fromkeys(("pass", "fail", "error", "skip", "reused"), 0)
    for result in results:
        tally[result.verdict] += 1
        tally["reused"] += result.reused
    return tally


def totals(report: SuiteReport) -> dict[str, int]:
    """Counts over all layers by the summary, which also counts what `results` may leave out."""
    tally = dict.fromkeys(("pass", "fail", "error", "skip", "total", "reused"), 0)
    for counted in report.summary.values():
        for key in tally:
            value = counted.get(key, 0)
            tally[key] += value if isinstance(value, int) else 0
    return tally


def is_complete(report: SuiteReport) -> bool:
    """Whether `results` holds the passes too; a large run may report without them."""
    return len(report.results) >= totals(report)["total"]


def by_agent(report: SuiteReport) -> list[AgentCounts]:
    """Counts per layer and agent: the store's, else of the results; none where these lack some."""
    from jw_eval_store.domain.reports import AgentCounts

    if report.by_agent or not is_complete(report):
        return list(report.by_agent)
    groups: dict[tuple[Layer, str], list[CaseReport]] = defaultdict(list)
    for result in report.results:
        groups[result.layer, result.agent].append(result)
    found = []
    for (layer, agent), results in sorted(groups.items()):
        tally = counts(results)
        languages = tuple(sorted({result.language for result in results}))
        found.append(
            AgentCounts(
                layer=layer,
                agent=agent,
                languages=languages,
                passed=tally["pass"],
                failed=tally["fail"],
                errors=tally["error"],
                skipped=tally["skip"],
                reused=tally["reused"],
            )
        )
    return found


def origins(report: SuiteReport) -> str:
    """Passes of the citation layer by origin of their evidence, such as `authored 16`."""
    found = report.summary.get("l2", {}).get("passes_by_origin")
    if not isinstance(found, dict):
        return ""
    return ", ".join(f"{origin} {count}" for origin, count in sorted(found.items()) if count)


def judged_by(report: SuiteReport) -> str:
    """Which embedder and which judge read the answers of the semantic layer."""
    if "l3" not in report.layers_run:
        return ""
    return f"embedder: {report.embedder or 'none'}, judge: {report.judge or 'none'}"


def headline(report: SuiteReport) -> str:
    """The verdict in one line, as it ends the text and starts the comment."""
    tally = totals(report)
    parts = [f"{tally['pass']:,} of {plural(tally['total'], 'case')} passed"]
    parts += [
        f"{tally[verdict]:,} {word}"
        for verdict, word in (("fail", "failed"), ("error", "undecided"), ("skip", "skipped"))
        if tally[verdict]
    ]
    if report.invalid_files:
        parts.append(plural(len(report.invalid_files), "invalid file"))
    reused = f", {tally['reused']:,} reused" if tally["reused"] else ""
    said = f"{', '.join(parts)} in {duration(report)}{reused}"
    if report.gate.reported_only:
        return f"{REPORTED}: {said} ({_nothing_blocks(report)})"
    return f"{VERDICT_WORDS[report.gate.verdict]}: {said}"


def _nothing_blocks(report: SuiteReport) -> str:
    """`L3 does not block`."""
    names = [outcome.layer.upper() for outcome in report.gate.layers]
    return f"{' and '.join(names)} {'does' if len(names) == 1 else 'do'} not block"


def comparison_line(comparison: Comparison) -> str:
    """What changed against the baseline, in one line."""
    words = {
        "regression": "regression",
        "fix": "fix",
        "new": "new case",
        "removed": "removed case",
        "undecided": "undecided case",
        "unstable": "unstable case",
        "changed": "changed case",
    }
    tally = dict.fromkeys(words, 0)
    for difference in comparison.differences:
        if difference.change in tally:
            tally[difference.change] += 1
    parts = [
        plural(count, words[change]).replace("fixs", "fixes")
        for change, count in tally.items()
        if count
    ]
    return ", ".join([*(parts or ["no change"]), f"{comparison.same:,} the same"])


def other_reasons(report: SuiteReport) -> list[str]:
    """The gate's reasons that no layer's line says already."""
    said = {outcome.message for outcome in report.gate.layers}
    return [one_line(reason) for reason in report.gate.reasons if reason not in said]
