"""The run as JUnit XML, which every continuous integration server reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from jw_eval_store.domain.reports import CaseReport, InvalidFile, SuiteReport
from jw_eval_store.reports.escape import xml_text
from jw_eval_store.reports.interface import Reporter
from jw_eval_store.reports.wording import other_reasons, place, reasons_of


class JunitReporter(Reporter):
    """A suite per layer and agent. Failures fail, undecided cases are errors.

    What else kept the gate from passing, such as a case of the baseline that is gone, fails, too.
    """

    def report(self, report: SuiteReport) -> str:
        """The XML document. Characters that XML cannot hold are left out."""
        root = Element("testsuites", name="jw-eval")
        groups: dict[tuple[str, str], list[CaseReport]] = defaultdict(list)
        for result in report.results:
            groups[result.layer, result.agent].append(result)
        stamp = report.started_at.isoformat(timespec="seconds")
        for (layer, agent), results in sorted(groups.items()):
            _add_suite(root, f"{layer}.{agent}", results, stamp)
        if report.invalid_files:
            _add_invalid(root, report.invalid_files, stamp)
        if report.gate.verdict != "passed" and (reasons := other_reasons(report)):
            _add_gate(root, report.gate.verdict, reasons, stamp)
        _total(root)
        indent(root)
        return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, "unicode") + "\n"


def _add_suite(root: Element, name: str, results: list[CaseReport], stamp: str) -> None:
    verdicts = [result.verdict for result in results]
    suite = SubElement(
        root,
        "testsuite",
        name=xml_text(name),
        tests=str(len(results)),
        failures=str(verdicts.count("fail")),
        errors=str(verdicts.count("error")),
        skipped=str(verdicts.count("skip")),
        time=_seconds(sum(result.duration_ms for result in results)),
        timestamp=stamp,
    )
    for result in sorted(results, key=lambda r: r.case_id):
        _add_case(suite, name, result)


def _add_case(suite: Element, classname: str, result: CaseReport) -> None:
    case = SubElement(
        suite,
        "testcase",
        name=xml_text(result.case_id),
        classname=xml_text(classname),
        time=_seconds(result.duration_ms),
    )
    if result.verdict == "pass":
        return
    tag = {"fail": "failure", "error": "error", "skip": "skipped"}[result.verdict]
    reasons = reasons_of(result)
    outcome = SubElement(case, tag, message=xml_text(reasons[0]))
    outcome.set("type", result.reason_code or result.verdict)
    outcome.text = xml_text("\n".join([*reasons, place(result.path, result.line)]).rstrip())


def _add_invalid(root: Element, files: tuple[InvalidFile, ...], stamp: str) -> None:
    suite = SubElement(root, "testsuite", name="invalid files", timestamp=stamp, time="0.000")
    for key, count in (("tests", len(files)), ("failures", 0), ("errors", len(files))):
        suite.set(key, str(count))
    for file in files:
        name = xml_text(place(file.path, file.line))
        case = SubElement(suite, "testcase", name=name, classname="invalid", time="0.000")
        error = SubElement(case, "error", message=xml_text(file.message), type="invalid_file")
        error.text = xml_text(f"{file.message}\n{file.hint or ''}".rstrip())


def _add_gate(root: Element, verdict: str, reasons: Sequence[str], stamp: str) -> None:
    suite = SubElement(root, "testsuite", name="gate", timestamp=stamp, time="0.000")
    for key, count in (("tests", len(reasons)), ("failures", len(reasons)), ("errors", 0)):
        suite.set(key, str(count))
    for number, reason in enumerate(reasons, 1):
        case = SubElement(suite, "testcase", name=f"gate {number}", classname="gate", time="0.000")
        failure = SubElement(case, "failure", message=xml_text(reason), type=verdict)
        failure.text = xml_text(reason)


def _total(root: Element) -> None:
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in root)))


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.3f}"
