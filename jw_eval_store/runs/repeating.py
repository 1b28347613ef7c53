"""Several verdicts on one case become one: the majority's. Where there is none, it is undecided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from jw_eval_store.domain.evaluations import LayerResult
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.judges.repeats import node_flips
from jw_eval_store.runs.judging import Judged


def settled(judged: Sequence[Judged]) -> list[Judged]:
    """The verdicts with the one that counts first: the first of more than half of them.

    Without such a majority an undecided one is put before them. Its details say how the repeats
    were divided, and how often each node's answer flipped.
    """
    if len(judged) == 1:
        return list(judged)
    counted = Counter(one.result.verdict for one in judged)
    verdict, times = counted.most_common(1)[0]
    facts = _facts(judged, counted)
    if 2 * times <= len(judged):
        return [Judged(_undecided(judged[0].result, counted, facts), _output(judged)), *judged]
    place = next(n for n, one in enumerate(judged) if one.result.verdict == verdict)
    said = (f"{times} of {len(judged)} repeats say {verdict}",) if len(counted) > 1 else ()
    result = judged[place].result
    counts = result.model_copy(
        update={"reasons": (*result.reasons, *said), "details": {**result.details, **facts}}
    )
    first = Judged(counts, judged[place].output, judged[place].log)
    return [first, *judged[:place], *judged[place + 1 :]]


def _output(judged: Sequence[Judged]) -> AgentOutput | None:
    """The answer that all repeats are about, so that people can review it; none: they differ."""
    first = judged[0].output
    return first if all(one.output == first for one in judged) else None


def _facts(judged: Sequence[Judged], counted: Counter[Any]) -> dict[str, Any]:
    flips = node_flips([one.result for one in judged])
    return {
        "repeats": {
            "verdicts": dict(sorted(counted.items())),
            "node_flips": {node: round(rate, 4) for node, rate in flips.items() if rate},
        }
    }


def _undecided(result: LayerResult, counted: Counter[Any], facts: dict[str, Any]) -> LayerResult:
    divided = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counted.items()))
    return LayerResult(
        case_id=result.case_id,
        layer=result.layer,
        verdict="error",
        reasons=(f"no majority over {counted.total()} repeats: {divided}",),
        reason_code="judges_disagree",
        details=facts,
    )
