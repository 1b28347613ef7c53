from __future__ import annotations

import json
from collections.abc import Callable

from jw_eval_store.domain.reports import CaseReport, SuiteReport
from jw_eval_store.reports.json import JsonReporter


def test_the_report_is_read_back_unchanged(failed_run: SuiteReport) -> None:
    text = JsonReporter().report(failed_run)
    assert SuiteReport.model_validate_json(text) == failed_run
    assert text.endswith("}\n")


def test_it_has_the_specifications_keys_and_a_schema_version(failed_run: SuiteReport) -> None:
    data = json.loads(JsonReporter().report(failed_run))
    specified = {"started_at", "finished_at", "layers_run", "results", "summary"}
    assert specified | {"diff_vs_baseline"} <= data.keys()
    assert data["schema_version"] == 1
    assert data["summary"]["l1"]["pass"] == 12
    result = data["results"][0]
    assert {"case_id", "layer", "verdict", "score", "reasons", "duration_ms"} <= result.keys()
    assert (data["gate"]["verdict"], data["gate"]["exit_code"]) == ("failed", 1)


def test_a_lone_surrogate_does_not_spoil_the_file(
    make_case: Callable[..., CaseReport], make_report: Callable[..., SuiteReport]
) -> None:
    case = make_case("a", "fail", reasons=("bad \ud800 text, año",))
    text = JsonReporter().report(make_report([case], "failed"))
    assert SuiteReport.model_validate_json(text).results[0].reasons == ("bad ? text, año",)
