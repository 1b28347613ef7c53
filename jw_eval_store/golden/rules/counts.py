"""Numbers that contradict each other, and expectations that nothing or an empty answer meets."""

from __future__ import annotations

from collections.abc import Iterator

from jw_eval_store.domain.cases import SemanticCase, StructuralCase
from jw_eval_store.domain.expectations import StructuralExpectation
from jw_eval_store.domain.judging import JudgeSpec
from jw_eval_store.golden.effect import asks_for_findings, unfailing
from jw_eval_store.golden.reading import Case
from jw_eval_store.golden.rules.interface import Context, Remark, Rule

BELOW_SOURCES = Rule(
    "findings-below-sources",
    "error",
    "Fewer findings are required, or allowed, than the other expectations need.",
)
UPSIDE_DOWN = Rule(
    "thresholds-upside-down",
    "error",
    "A lower bound above its upper bound, or thresholds that leave a gap.",
)
CANNOT_FAIL = Rule("cannot-fail", "error", "No answer could fail the case, or a part of it.")
EMPTY_PASSES = Rule(
    "empty-answer-passes", "warning", "An agent that finds nothing at all would pass the case."
)
RULES = (BELOW_SOURCES, UPSIDE_DOWN, CANNOT_FAIL, EMPTY_PASSES)


def check(case: Case, context: Context) -> Iterator[Remark]:
    """All rules of this family."""
    if isinstance(case, StructuralCase):
        yield from _bounds(case.expected)
        yield from _needed(case.expected)
        yield from _effect(case.expected)
    if isinstance(case, SemanticCase):
        yield from _thresholds(case.judge)


def _bounds(expected: StructuralExpectation) -> Iterator[Remark]:
    least, most = expected.min_findings, expected.max_findings
    if least is not None and most is not None and least > most:
        message = f"min_findings {least} is above max_findings {most}"
        yield Remark(UPSIDE_DOWN, "expected.min_findings", message, "swap them")


def _needed(expected: StructuralExpectation) -> Iterator[Remark]:
    listed = len(expected.sources_in_order)
    demands = (
        expected.must_have_source or expected.must_have_citation or expected.required_keywords_any
    )
    needed = max(listed, 1 if demands else 0)
    if expected.max_findings is not None and expected.max_findings < needed:
        message = f"max_findings {expected.max_findings} is too few: the rest needs {needed}"
        yield Remark(BELOW_SOURCES, "expected.max_findings", message, "no answer can pass")
    if expected.min_findings is not None and expected.min_findings < listed:
        message = f"min_findings {expected.min_findings} is below the {listed} sources in order"
        hint = f"write min_findings: {listed}"
        yield Remark(BELOW_SOURCES, "expected.min_findings", message, hint, "warning")


def _effect(expected: StructuralExpectation) -> Iterator[Remark]:
    if expected.sources_order == "first_seen" and not expected.sources_in_order:
        message = "sources_order says nothing without sources_in_order"
        yield Remark(CANNOT_FAIL, "expected.sources_order", message, None, "warning")
    problems = list(unfailing(expected))
    yield from (Remark(CANNOT_FAIL, *problem) for problem in problems)
    if not problems and not asks_for_findings(expected) and expected.max_findings != 0:
        message = "an answer without findings passes"
        yield Remark(EMPTY_PASSES, "expected", message, "add min_findings: 1")


def _thresholds(judge: JudgeSpec) -> Iterator[Remark]:
    top = judge.threshold_review_max
    if top is not None and top < judge.threshold_review_min:
        message = f"threshold_review_max {top} is below threshold_review_min"
        yield Remark(UPSIDE_DOWN, "judge.threshold_review_max", message, "swap them")
    elif top is not None and top != judge.threshold_pass:
        message = f"threshold_review_max {top} is not threshold_pass {judge.threshold_pass}"
        hint = "leave it out: review ends where passing starts"
        yield Remark(UPSIDE_DOWN, "judge.threshold_review_max", message, hint, "warning")
