"""The first stage of L3: what needs no comparison. Keywords and citations, in normal form."""

from __future__ import annotations

from dataclasses import dataclass

from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.evaluations import JudgeStep
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.text.normal import normal
from jw_eval_store.text.phrases import find_keywords
from jw_eval_store.text.urls import citation_matches


@dataclass(frozen=True)
class Gates:
    """`failures` fail the answer; `doubts` keep it from passing without a judge."""

    failures: tuple[str, ...]
    doubts: tuple[str, ...]
    steps: tuple[JudgeStep, ...]


def check_gates(case: SemanticCase, output: AgentOutput) -> Gates:
    """Is there an answer, does it hold no forbidden keyword, does it cite what it must?

    A required keyword that is not found literally is a doubt only: the specification asks for it
    "in any form", which a judge decides.
    """
    answer, expected = output.answer(), case.expected
    if not normal(answer):
        return Gates(("the answer holds no text",), (), (_step("answer", "fail", "no text"),))
    forbidden = find_keywords(answer, expected.expected_keywords_none)
    missing = _uncited(case, output)
    required = find_keywords(answer, expected.expected_keywords_any)
    doubtful = bool(expected.expected_keywords_any) and not required
    steps = (
        _step("forbidden keywords", "fail" if forbidden else "ok", ", ".join(forbidden)),
        _step("expected citations", "fail" if missing else "ok", ", ".join(missing)),
        _step("required keywords", "judge" if doubtful else "ok", ", ".join(required)),
    )
    return Gates(
        failures=tuple(
            [f"forbidden keyword found: “{keyword}”" for keyword in forbidden]
            + [f"not cited: {url}" for url in missing]
        ),
        doubts=("no required keyword is found literally",) if doubtful else (),
        steps=steps,
    )


def _uncited(case: SemanticCase, output: AgentOutput) -> tuple[str, ...]:
    cited = [finding.citation.url for finding in output.findings if finding.citation.url]
    return tuple(
        expected.url
        for expected in case.expected.expected_citations
        if not any(citation_matches(expected.url, url) for url in cited)
    )


def _step(node: str, answer: str, found: str) -> JudgeStep:
    return JudgeStep(node=node, kind="gate", answer=answer, reply=found)
