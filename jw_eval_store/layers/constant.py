"""Notices an agent that says the same whatever it is asked, which no single case can see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from jw_eval_store.domain.hashing import canonical_json, json_hash
from jw_eval_store.domain.languages import bcp47
from jw_eval_store.domain.outputs import AgentOutput


class Answered(NamedTuple):
    """A case's input and the hash of the answer to it (`answer_hash`)."""

    case_id: str
    agent: str
    input: Mapping[str, Any]
    answer: str


class EqualOutputs(NamedTuple):
    """Cases of one agent that ask different things and got the same answer, in the order given."""

    agent: str
    case_ids: tuple[str, ...]

    @property
    def notice(self) -> str:
        """The finding for people."""
        named = ", ".join(self.case_ids[:5])
        more = len(self.case_ids) - 5
        return (
            f"{self.agent} gave the same answer to {len(self.case_ids)} different inputs: {named}"
            + (f" and {more} more" if more > 0 else "")
        )


def answer_hash(output: AgentOutput) -> str:
    """Content address of what was found, without `query`, where agents repeat the question."""
    return json_hash([finding.model_dump(mode="json") for finding in output.findings])


def equal_outputs(answers: Iterable[Answered]) -> tuple[EqualOutputs, ...]:
    """Groups of cases with different inputs and the same answer, per agent.

    Cases that ask the same (a language as JW code or ISO code counts as the same) are one: the
    first of them stands for all. Not a verdict: two questions may well have one right answer.
    """
    asked: dict[tuple[str, str], dict[str, str]] = {}
    for answered in answers:
        same = asked.setdefault((answered.agent, answered.answer), {})
        same.setdefault(_question(answered.input), answered.case_id)
    return tuple(
        EqualOutputs(agent, tuple(cases.values()))
        for (agent, _), cases in asked.items()
        if len(cases) > 1
    )


def _question(case_input: Mapping[str, Any]) -> str:
    language = {"language": bcp47(case_input["language"])} if "language" in case_input else {}
    return canonical_json(dict(case_input) | language)
