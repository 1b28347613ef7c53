"""Names: of a case, for its file, by which it is counted, and of the agent and graph it uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.golden.effect import uncounted
from jw_eval_store.golden.folders import unfit_for_a_name
from jw_eval_store.golden.problems import nearest
from jw_eval_store.golden.reading import Case, ReadCase
from jw_eval_store.golden.rules.interface import Context, Remark, Rule

UNKNOWN_AGENT = Rule(
    "unknown-agent", "error", "No agent of that name is configured or installed.", "agents"
)
UNSOUND_GRAPH = Rule(
    "unsound-graph", "error", "The judge graph cannot be walked to an end.", "graph_problems"
)
UNFIT_ID = Rule(
    "unfit-id",
    "warning",
    "The id is no file's name on Windows or macOS, or there that of another case.",
)
UNCOUNTED = Rule(
    "uncounted", "error", "The topic or a tag is no text: nobody finds the case by it."
)
RULES = (UNKNOWN_AGENT, UNSOUND_GRAPH, UNFIT_ID, UNCOUNTED)


def check(case: Case, context: Context) -> Iterator[Remark]:
    """Whether the agent is known, the id a name for a file, and topic and tags are texts."""
    yield from (Remark(UNCOUNTED, *problem) for problem in uncounted(case))
    if problem := unfit_for_a_name(case.id):
        message = f"id '{case.id}' can't be the name of a file: {problem}"
        yield Remark(UNFIT_ID, "id", message, "give the case another id")
    if context.agents is not None and case.agent not in context.agents:
        near = nearest(case.agent, context.agents)
        hint = f"did you mean '{near}'?" if near else "configure it, or see `jw-eval agents list`"
        yield Remark(UNKNOWN_AGENT, "agent", f"agent '{case.agent}' is unknown", hint)


def alike_ids(cases: Sequence[ReadCase], context: Context) -> Iterator[tuple[ReadCase, Remark]]:
    """Ids that only upper and lower case tell from an earlier one."""
    first: dict[str, str] = {}
    for read in cases:
        other = first.setdefault(read.case.id.lower(), read.case.id)
        if other != read.case.id:
            message = f"id '{read.case.id}' is that of '{other}' but for upper and lower case"
            yield read, Remark(UNFIT_ID, "id", message, "give one of the two another id")


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
