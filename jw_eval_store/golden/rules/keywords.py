"""Keywords that contradict each other or the golden answer, or that can never be found."""

from __future__ import annotations

from collections.abc import Iterator

from jw_eval_store.domain.cases import SemanticCase, StructuralCase
from jw_eval_store.golden.effect import keyword_fields, unsearchable
from jw_eval_store.golden.reading import Case
from jw_eval_store.golden.rules.interface import Context, Remark, Rule
from jw_eval_store.text.normal import normal
from jw_eval_store.text.phrases import contains, find_keywords

CONTRADICTION = Rule(
    "keyword-contradiction",
    "error",
    "A required keyword holds a forbidden one, so it can never help an answer to pass.",
)
GOLDEN_FORBIDDEN = Rule(
    "golden-has-forbidden", "error", "The golden answer holds a forbidden keyword."
)
GOLDEN_LACKS = Rule(
    "golden-lacks-required",
    "warning",
    "The golden answer holds none of the required keywords literally.",
)
UNSEARCHABLE = Rule(
    "unsearchable-phrase",
    "error",
    "A keyword or phrase of nothing but marks or invisible characters, which is never found.",
)
RULES = (CONTRADICTION, GOLDEN_FORBIDDEN, GOLDEN_LACKS, UNSEARCHABLE)


def required_and_forbidden(case: Case) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The keywords of which one must be found, and those that must not."""
    if isinstance(case, StructuralCase):
        return case.expected.required_keywords_any, case.expected.forbidden_keywords_in_findings
    if isinstance(case, SemanticCase):
        return case.expected.expected_keywords_any, case.expected.expected_keywords_none
    return (), ()


def check(case: Case, context: Context) -> Iterator[Remark]:
    """All rules of this family."""
    yield from _contradictions(case)
    yield from (Remark(UNSEARCHABLE, *problem) for problem in unsearchable(case))
    if isinstance(case, SemanticCase):
        yield from _golden(case)


def _contradictions(case: Case) -> Iterator[Remark]:
    required, forbidden = required_and_forbidden(case)
    field = keyword_fields(case)[0] if required else ""
    for position, keyword in enumerate(required):
        for other in find_keywords(keyword, forbidden):
            message = f"required keyword '{keyword}' holds the forbidden one '{other}'"
            hint = "keep it in one of the two lists"
            yield Remark(CONTRADICTION, f"expected.{field}.{position}", message, hint)


def _golden(case: SemanticCase) -> Iterator[Remark]:
    golden = normal(case.expected.golden_answer)
    required, forbidden = required_and_forbidden(case)
    for keyword in forbidden:
        if contains(golden, keyword):
            message = f"the golden answer holds the forbidden keyword '{keyword}'"
            hint = "reword the answer, or make the keyword longer"
            yield Remark(GOLDEN_FORBIDDEN, "expected.golden_answer", message, hint)
    if required and not any(contains(golden, keyword) for keyword in required):
        message = "the golden answer holds none of the required keywords"
        hint = "without a judge it would not pass its own case; add a keyword that it holds"
        yield Remark(GOLDEN_LACKS, "expected.expected_keywords_any", message, hint)
