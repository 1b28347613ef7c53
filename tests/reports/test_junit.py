from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from jw_eval_store.domain.reports import CaseReport, SuiteReport
from jw_eval_store.reports.junit import JunitReporter

SCHEMA = etree.XMLSchema(etree.parse(Path(__file__).with_name("junit.xsd")))


def parse(text: str) -> etree._Element:
    root = etree.fromstring(text.encode())
    SCHEMA.assertValid(root)
    return root


def test_every_verdict_is_counted_and_explained(failed_run: SuiteReport) -> None:
    root = parse(JunitReporter().report(failed_run))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("16", "1", "2")
    suite = root.find("testsuite[@name='l1.apologetics']")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("time")) == ("13", "1", "16.042")
    failure = root.find(".//testcase[@name='l1_broken']/failure")
    assert failure is not None
    assert failure.get("message") == "must_have_source: no finding from topic_index"
    assert (failure.text or "").endswith("2 findings, at least 3\nseeds/l1/broken.yaml:7")
    error = root.find(".//testcase[@name='l2_lost']/error")
    assert error is not None
    assert error.get("type") == "evidence_missing"
    assert root.find(".//testcase[@name='l3_hell']/skipped") is not None
    refused = root.find("testsuite[@name='invalid files']/testcase/error")
    assert refused is not None
    assert refused.get("message") == "unknown key `langauge`"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.text(), min_size=1, max_size=3))
def test_no_text_makes_it_unreadable(
    make_case: Callable[..., CaseReport],
    make_report: Callable[..., SuiteReport],
    reasons: list[str],
) -> None:
    cases = [make_case("a", "fail", reasons=tuple(reasons)), make_case("b", "error", language="")]
    report = make_report(cases, "failed", notices=tuple(reasons))
    assert len(parse(JunitReporter().report(report)).findall(".//testcase")) == 2


def test_a_run_without_results_is_valid_too(make_report: Callable[..., SuiteReport]) -> None:
    assert parse(JunitReporter().report(make_report([]))).get("tests") == "0"


def test_what_no_case_says_of_the_gate_fails_too(
    make_case: Callable[..., CaseReport], make_report: Callable[..., SuiteReport]
) -> None:
    said = "1 case passed in the baseline and is missing now: l1_gone"
    passed = make_report([make_case("l1_there")])
    for verdict, failures in (("failed", "1"), ("passed", "0")):
        gate = passed.gate.model_copy(update={"verdict": verdict, "reasons": (said,)})
        root = parse(JunitReporter().report(passed.model_copy(update={"gate": gate})))
        assert (root.get("failures"), root.get("errors")) == (failures, "0")
        found = [failure.get("message") for failure in root.iterfind(".//failure")]
        assert found == [said] * int(failures)
