"""Judge one case: ask its agent, then its layer. Runs on worker threads; touches no database."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from jw_eval_store.agents.interface import Agent, AgentCall, AgentReply
from jw_eval_store.domain.cases import CitationCase, SemanticCase, StructuralCase
from jw_eval_store.domain.evaluations import LayerResult
from jw_eval_store.domain.evidence import Evidence, Origin
from jw_eval_store.domain.expectations import CitationExpectation
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.domain.recordings import Recording
from jw_eval_store.domain.settings import AgentSettings
from jw_eval_store.golden.effect import Ineffective, ineffective
from jw_eval_store.layers import citations, structural

Case = StructuralCase | CitationCase | SemanticCase


class SemanticLayer(Protocol):
    """The semantic layer with its embedder and judge at hand."""

    def evaluate(self, case: SemanticCase, output: AgentOutput, repeat: int = 0) -> LayerResult:
        """The verdict on one output; another `repeat` asks judges anew, with another seed."""


@dataclass(frozen=True)
class Tools:
    """What judging needs beside the case.

    Agents and their limits by name, the origins of evidence that count, and the semantic layer.
    """

    agents: Mapping[str, Agent]
    limits: Mapping[str, AgentSettings]
    origins: Sequence[Origin]
    semantic: SemanticLayer | None


@dataclass(frozen=True)
class Judged:
    """A verdict with the output it was made of."""

    result: LayerResult
    output: AgentOutput | None
    log: str = ""


def judge_case(
    case: Case,
    evidence: Mapping[str, Evidence],
    tools: Tools,
    recording: Recording | None = None,
    repeat: int = 0,
) -> Judged:
    """Ask the case's agent, replaying a recording, and judge what it returned.

    Never raises: a fault is an error row.
    """
    started = time.perf_counter()
    try:
        judged = _judge(case, evidence, tools, recording, repeat)
    except Exception as fault:
        judged = Judged(_internal(case, fault), None)
    duration = round((time.perf_counter() - started) * 1000)
    result = judged.result.model_copy(update={"duration_ms": duration})
    return Judged(result, judged.output, judged.log)


def _judge(
    case: Case,
    evidence: Mapping[str, Evidence],
    tools: Tools,
    recording: Recording | None,
    repeat: int,
) -> Judged:
    agent = tools.agents[case.agent]
    reply = agent.call(agent_call(case, tools.limits.get(case.agent), recording=recording))
    if reply.error is not None or reply.output is None:
        return Judged(failed_call(case, reply), reply.output, reply.log)
    result = judge_output(case, reply.output, evidence, tools, repeat)
    return Judged(result, reply.output, reply.log)


def agent_call(
    case: Case,
    limits: AgentSettings | None,
    *,
    recording: Recording | None = None,
    record: bool = False,
) -> AgentCall:
    """What a case asks of its agent, replaying a recording or making one."""
    now = case.now.isoformat() if case.now else None
    timeout, most = (limits.timeout, limits.max_output) if limits else (None, None)
    return AgentCall(case.id, case.input, timeout, most, now, recording, record)


def judge_output(
    case: Case,
    output: AgentOutput,
    evidence: Mapping[str, Evidence],
    tools: Tools,
    repeat: int = 0,
) -> LayerResult:
    """The layer's verdict on an output, without asking any agent.

    A case that the registry took before such cases were refused gets an error, not a pass.
    """
    if problems := list(ineffective(case)):
        return _worthless(case, problems)
    if isinstance(case, StructuralCase):
        return structural.evaluate(case, output)
    if isinstance(case, CitationCase):
        return citations.evaluate(case, output, evidence, tools.origins)
    unsupported = _unsupported(case, output, evidence, tools.origins)
    if unsupported is not None:
        return unsupported
    if tools.semantic is None:
        raise RuntimeError("the semantic layer was not set up")
    return tools.semantic.evaluate(case, output, repeat)


def _unsupported(
    case: SemanticCase,
    output: AgentOutput,
    evidence: Mapping[str, Evidence],
    origins: Sequence[Origin],
) -> LayerResult | None:
    """What L2 says of an L3 case's citations that name phrases, unless it is a pass.

    A page that no longer says so makes the case no better for the answer's meaning, and no judge
    need be asked.
    """
    phrased = tuple(c for c in case.expected.expected_citations if c.phrases)
    if not phrased:
        return None
    expected = CitationExpectation(expected_citations=phrased)
    cited = CitationCase(id=case.id, agent=case.agent, input=case.input, expected=expected)
    result = citations.evaluate(cited, output, evidence, origins)
    return None if result.verdict == "pass" else result.model_copy(update={"layer": case.layer})


def _worthless(case: Case, problems: Sequence[Ineffective]) -> LayerResult:
    said = [f"{p.key}: {p.message} (then: {p.hint})" for p in problems]
    return LayerResult(
        case_id=case.id,
        layer=case.layer,
        verdict="error",
        reasons=(*said, f"mend the case: jw-eval cases edit {case.id}"),
        reason_code="case_cannot_fail",
    )


def failed_call(case: Case, reply: AgentReply) -> LayerResult:
    """The error of a case whose agent gave no answer that can be judged."""
    return LayerResult(
        case_id=case.id,
        layer=case.layer,
        verdict="error",
        reasons=(reply.message or "the agent gave no answer",),
        reason_code=reply.error or "agent_bad_output",
    )


def _internal(case: Case, fault: Exception) -> LayerResult:
    import traceback

    where = traceback.extract_tb(fault.__traceback__)[-1]
    message = f"jw-eval failed: {type(fault).__name__}: {fault} ({where.filename}:{where.lineno})"
    return LayerResult(
        case_id=case.id,
        layer=case.layer,
        verdict="error",
        reasons=(message,),
        reason_code="internal_error",
    )
