"""The gate: one function from which printed verdict, JSON field and exit code all come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from jw_eval_store.domain.cases import LAYERS, Layer
from jw_eval_store.domain.evaluations import Verdict
from jw_eval_store.domain.policies import LayerGate, Policy
from jw_eval_store.domain.reports import (
    AcceptedNow,
    CaseDifference,
    Comparison,
    GateOutcome,
    GateVerdict,
    LayerOutcome,
)
from jw_eval_store.text.percent import bar, share_passed
from jw_eval_store.text.plurals import plural

EXIT_CODES: dict[GateVerdict, int] = {
    "passed": 0,
    "failed": 1,
    "invalid": 2,
    "undecided": 3,
    "empty": 5,
    "interrupted": 130,
}
_RANK: tuple[GateVerdict, ...] = ("interrupted", "invalid", "failed", "undecided", "empty")
_PASSED: GateVerdict = "passed"

Counts = Mapping[Layer, Counter[Verdict]]
"""Verdicts per layer, fresh and reused together."""


def judge_run(
    counts: Counts,
    policy: Policy,
    *,
    invalid_files: int = 0,
    interrupted: bool = False,
    comparison: Comparison | None = None,
    empty_shard: bool = False,
    unanswered: bool = False,
) -> GateOutcome:
    """Whether a run may be merged.

    A blocking layer fails below its bar; errors and skips count in the denominator. Where errors
    alone keep it below (it would pass had they passed), it is undecided. So is a run `unanswered`
    by any agent, whatever its layers ask: there is nothing to report. With a baseline the rule
    `no-regression` joins; one that shares no case with the run leaves it empty. Where several
    verdicts apply, the first of: interrupted, invalid, failed, undecided, empty. A shard for which
    the split left no case passes, and says so.
    """
    judged = [layer for layer in LAYERS if counts.get(layer) and counts[layer].total()]
    layers = [_layer(layer, counts[layer], policy) for layer in judged]
    found: list[tuple[GateVerdict, str]] = [
        (_verdict(outcome, policy.gate_of(outcome.layer)), outcome.message)
        for outcome in layers
        if not outcome.ok
    ]
    if interrupted:
        found.append(
            ("interrupted", "the run was interrupted; finish it with: jw-eval run --resume last")
        )
    if invalid_files:
        found.append(("invalid", _unread(invalid_files)))
    if not layers:
        found.append(_nothing(empty_shard))
    elif unanswered and not found:
        found.append(("undecided", "no agent gave an answer that could be judged"))
    found.extend(_regressions(comparison, policy))
    found.extend(_nothing_compared(comparison))
    verdict = next((rank for rank in _RANK if rank in {v for v, _ in found}), _PASSED)
    return GateOutcome(
        verdict=verdict,
        exit_code=EXIT_CODES[verdict],
        layers=tuple(layers),
        reasons=tuple(reason for _, reason in found),
        accepted=tuple(_accepted(comparison, policy)),
        binding=comparison is not None or not judged or any(map(policy.demands, judged)),
    )


def _unread(files: int) -> str:
    return f"{plural(files, 'invalid file')} {'was' if files == 1 else 'were'} not judged"


def _nothing(empty_shard: bool) -> tuple[GateVerdict, str]:
    if empty_shard:
        return _PASSED, "this shard holds no case, so nothing was judged here"
    return "empty", "nothing was judged"


def _layer(layer: Layer, counts: Counter[Verdict], policy: Policy) -> LayerOutcome:
    gate, total = policy.gate_of(layer), counts.total()
    rate = counts["pass"] / total
    decided = (counts["pass"] + counts["fail"]) / total
    passed = rate >= gate.min_pass and counts["error"] + counts["skip"] <= _room(gate, total)
    enough = gate.min_decided is None or decided >= gate.min_decided
    ok = (passed or not gate.blocking) and enough
    return LayerOutcome(
        layer=layer,
        passed=counts["pass"],
        failed=counts["fail"],
        errors=counts["error"],
        skipped=counts["skip"],
        total=total,
        min_pass=gate.min_pass,
        blocking=gate.blocking,
        ok=ok,
        message=_message(layer, counts, gate, decided if not enough else None),
    )


def _room(gate: LayerGate, total: int) -> int:
    """Results without a verdict that a blocking layer bears: none, as an error is no pass."""
    return 0 if gate.blocking else total


def _message(
    layer: Layer, counts: Counter[Verdict], gate: LayerGate, too_few_decided: float | None
) -> str:
    total = counts.total()
    rate = counts["pass"] / total
    undecided = counts["error"] + counts["skip"]
    text = f"{layer.upper()} {counts['pass']} of {total} passed ({share_passed(rate)}"
    text += f", at least {bar(gate.min_pass)} wanted)" if gate.blocking else ", reported only)"
    if undecided:
        text += f", {undecided} undecided"
    if too_few_decided is not None:
        wanted = bar(gate.min_decided or 0)
        text += f"; {share_passed(too_few_decided)} decided, at least {wanted} wanted"
    return text


def _verdict(outcome: LayerOutcome, gate: LayerGate) -> GateVerdict:
    """Failed where even passing errors could not lift it over the bar; else undecided."""
    undecided = outcome.errors + outcome.skipped
    best = (outcome.passed + undecided) / outcome.total
    return "failed" if gate.blocking and best < gate.min_pass else "undecided"


def _nothing_compared(comparison: Comparison | None) -> Iterator[tuple[GateVerdict, str]]:
    """Rule no-regression found nothing to look at: that must not look like no regression."""
    if comparison is not None and not comparison.shared:
        yield (
            "empty",
            f"nothing was compared: {comparison.baseline} has no case that was judged here; select"
            " cases that it has, approve a run of these (jw-eval baseline approve), or leave out"
            " --baseline",
        )


def _regressions(
    comparison: Comparison | None, policy: Policy
) -> Sequence[tuple[GateVerdict, str]]:
    """Rule no-regression: what passed in the baseline must pass, unless its failure is accepted.

    With the very same inputs, too: a verdict that wavers is no pass.
    """
    overlooked = {accepted.case_id for accepted in _accepted(comparison, policy)}
    worse = [d for d in _got_worse(comparison) if d.case_id not in overlooked]
    gone = [d for d in worse if d.after is None]
    lost = [d for d in worse if d.after == "fail"]
    open_ = [d for d in worse if d.after in ("error", "skip")]
    found: list[tuple[GateVerdict, str]] = []
    if lost:
        found.append(("failed", _listed(lost, "fails now", "fail now") + _expired(lost, policy)))
    if gone:
        found.append(("failed", _listed(gone, "is missing now", "are missing now")))
    if open_:
        what = "could not be decided now"
        found.append(("undecided", _listed(open_, what, what) + _expired(open_, policy)))
    return found


def _expired(cases: Sequence[CaseDifference], policy: Policy) -> str:
    """What the policy no longer accepts of these, so that nobody looks for what went wrong."""
    named = {difference.case_id for difference in cases}
    over = {known.case: known.until for known in policy.accepted if known.case in named}
    return "".join(f"; {case} was accepted until {until}, expired" for case, until in over.items())


def _got_worse(comparison: Comparison | None) -> list[CaseDifference]:
    differences = comparison.differences if comparison else ()
    return [d for d in differences if d.before == "pass" and d.after != "pass"]


def _accepted(comparison: Comparison | None, policy: Policy) -> Iterator[AcceptedNow]:
    """Failures that the policy accepts until today or later; a case that is gone is no failure."""
    by_case = {known.case: known for known in policy.accepted if known.until >= date.today()}
    for difference in _got_worse(comparison):
        known = by_case.get(difference.case_id)
        if known and difference.after is not None:
            yield AcceptedNow(case_id=known.case, reason=known.reason, until=known.until)


def _listed(cases: Sequence[CaseDifference], one: str, many: str) -> str:
    names = ", ".join(d.case_id for d in cases[:5]) + (" ..." if len(cases) > 5 else "")
    what = one if len(cases) == 1 else many
    return f"{plural(len(cases), 'case')} passed in the baseline and {what}: {names}"
