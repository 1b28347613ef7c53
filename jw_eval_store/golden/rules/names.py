"""Names that a case uses and others must know: its agent, its judge graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.golden.problems import nearest
from jw_eval_store.golden.reading import Case, ReadCase
from jw_eval_store.golden.rules.interface import Context, Remark, Rule

UNKNOWN_AGENT = Rule(
    "unknown-agent", "error", "No agent of that name is configured or installed.", "agents"
)
UNSOUND_GRAPH = Rule(
    "unsound-graph", "error", "The judge graph cannot be walked to an end.", "graph_problems"
)
RULES = (UNKNOWN_AGENT, UNSOUND_GRAPH)


def check(case: Case, context: Context) -> Iterator[Remark]:
    """Whether the agent is known."""
    if context.agents is not None and case.agent not in context.agents:
        near = nearest(case.agent, context.agents)
        hint = f"did you mean '{near}'?" if near else "configure it, or see `jw-eval agents list`"
        yield Remark(UNKNOWN_AGENT, "agent", f"agent '{case.agent}' is unknown", hint)


def unsound_graphs(
    cases: Sequence[ReadCase], context: Context
) -> Iterator[tuple[ReadCase, Remark]]:
    """What the injected check says about judge graphs."""
    if context.graph_problems is None:
        return
    for read in cases:
        if isinstance(read.case, SemanticCase) and read.case.judge.graph:
            for problem in context.graph_problems(read.case, read.path):
                yield read, Remark(UNSOUND_GRAPH, "judge.graph", problem)
