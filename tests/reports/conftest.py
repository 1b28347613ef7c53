"""A made-up run that every format is tried on: each verdict, and text that wants to break out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from jw_eval_store.domain.evaluations import VERDICTS
from jw_eval_store.domain.reports import (
    CaseDifference,
    CaseReport,
    Comparison,
    GateOutcome,
    GateVerdict,
    InvalidFile,
    LayerOutcome,
    SuiteReport,
)

MakeCase = Callable[..., CaseReport]
MakeReport = Callable[..., SuiteReport]
START = datetime(2026, 5, 30, 12, 0, tzinfo=UTC)
EXIT_CODES: dict[GateVerdict, int] = {"passed": 0, "failed": 1, "invalid": 2, "undecided": 3}


@pytest.fixture
def make_case() -> MakeCase:
    def make(case_id: str, verdict: str = "pass", **fields: Any) -> CaseReport:
        defaults: dict[str, Any] = {
            "layer": "l1",
            "agent": "apologetics",
            "language": "es",
            "duration_ms": 1234,
        }
        return CaseReport(case_id=case_id, verdict=verdict, **(defaults | fields))

    return make


def _outcome(layer: Any, results: list[CaseReport]) -> LayerOutcome:
    count = {v: sum(r.verdict == v for r in results) for v in VERDICTS}
    ok = count["pass"] == len(results)
    return LayerOutcome(
        layer=layer,
        passed=count["pass"],
        failed=count["fail"],
        errors=count["error"],
        skipped=count["skip"],
        total=len(results),
        min_pass=1.0,
        blocking=layer != "l3",
        ok=ok or layer == "l3",
        message=f"{layer.upper()} {count['pass']} of {len(results)} passed",
    )


@pytest.fixture
def make_report() -> MakeReport:
    def make(
        results: list[CaseReport], verdict: GateVerdict = "passed", **fields: Any
    ) -> SuiteReport:
        layers = sorted({r.layer for r in results})
        grouped = {layer: [r for r in results if r.layer == layer] for layer in layers}
        summary: dict[str, dict[str, Any]] = {
            layer: {v: sum(r.verdict == v for r in those) for v in VERDICTS}
            | {"total": len(those), "reused": sum(r.reused for r in those)}
            for layer, those in grouped.items()
        }
        outcomes = tuple(_outcome(layer, those) for layer, those in grouped.items())
        gate = GateOutcome(
            verdict=verdict,
            exit_code=EXIT_CODES[verdict],
            layers=outcomes,
            reasons=tuple(o.message for o in outcomes if not o.ok),
        )
        values: dict[str, Any] = {
            "run": "01JWTESTRUN0000000000000000",
            "started_at": START,
            "finished_at": START + timedelta(seconds=2.5),
            "layers_run": tuple(layers),
            "results": tuple(results),
            "summary": summary,
            "gate": gate,
        }
        return SuiteReport(**(values | fields))

    return make


@pytest.fixture
def failed_run(make_case: MakeCase, make_report: MakeReport) -> SuiteReport:
    """Twelve passes, one failure, one error, a skip, an invalid file and a regression."""
    results = [make_case(f"l1_pass_{n:02}", reused=n % 2 == 0) for n in range(12)]
    results += [
        make_case(
            "l1_broken",
            "fail",
            reasons=("must_have_source: no finding from topic_index", "2 findings, at least 3"),
            path="seeds/l1/broken.yaml",
            line=7,
        ),
        make_case("l2_lost", "error", layer="l2", reason_code="evidence_missing"),
        make_case("l3_hell", "skip", layer="l3", reasons=("not asked for",)),
    ]
    comparison = Comparison(
        baseline="main",
        candidate="01JWTESTRUN0000000000000000",
        differences=(
            CaseDifference(
                case_id="l1_broken",
                agent="apologetics",
                layer="l1",
                change="regression",
                before="pass",
                after="fail",
                cause="agent changed",
            ),
        ),
        same=14,
        notes=("the judge changed",),
    )
    invalid = InvalidFile(
        path="seeds/l1/x.yaml", line=3, message="unknown key `langauge`", hint="language?"
    )
    return make_report(
        results,
        "failed",
        diff_vs_baseline=comparison,
        invalid_files=(invalid,),
        notices=("two agents gave equal outputs",),
    )
