"""What every layer is: a pure function of case, output and evidence that returns a LayerResult.

A layer module offers `LAYER_VERSION`, a text that grows whenever a verdict may change, and
`evaluate(case, output, ...)`. It reads no clock, file, network or database; the runner measures
`duration_ms`. These functions make the three kinds of verdict.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import JsonValue

from jw_eval_store.domain.cases import CaseBase, Layer
from jw_eval_store.domain.evaluations import LayerResult, ReasonCode


def decided(
    case: CaseBase, layer: Layer, reasons: Iterable[str], details: dict[str, JsonValue]
) -> LayerResult:
    """Pass without a reason against it, else fail with all of them."""
    against = tuple(reasons)
    return LayerResult(
        case_id=case.id,
        layer=layer,
        verdict="fail" if against else "pass",
        reasons=against,
        details=details,
    )


def undecided(
    case: CaseBase,
    layer: Layer,
    code: ReasonCode,
    reasons: Iterable[str],
    details: dict[str, JsonValue],
) -> LayerResult:
    """An error: what is missing for a verdict, with the next step in its reasons."""
    return LayerResult(
        case_id=case.id,
        layer=layer,
        verdict="error",
        reason_code=code,
        reasons=tuple(reasons),
        details=details,
    )
