"""Whether a graph is sound, told before any model is asked: every problem, each with its node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jw_eval_store.judges.prompts.inputs import INPUTS
from jw_eval_store.judges.strategies.graph.model import (
    HIGHEST,
    AnyNode,
    BinaryNode,
    ChoiceNode,
    GEvalNode,
    Graph,
    TaskNode,
    VerdictNode,
)
from jw_eval_store.text.nearest import did_you_mean

Nodes = Mapping[str, AnyNode]


def problems(start: str, nodes: Nodes) -> list[str]:
    """All that is wrong with the shape, in words; empty if it is sound."""
    missing = [*_unknown_start(start, nodes), *_unknown_targets(nodes)]
    if missing:
        return missing
    cycle = _cycle(nodes)
    if cycle:
        return [f"node {cycle[0]!r}: leads back to itself ({' -> '.join(cycle)})"]
    return [
        *_starts_at_end(start, nodes),
        *_unreachable(start, nodes),
        *_tasks_before_verdicts(nodes),
        *_reading_problems(start, nodes),
    ]


def threshold_problem(graph: Graph, pass_at: float) -> str | None:
    """Why a threshold makes the graph pass, or fail, every answer; none if it can do both."""
    if any(isinstance(node, GEvalNode) for node in graph.nodes.values()):
        return None if pass_at > 0 else "with pass_at 0 no answer can fail"
    ends = [n.score / HIGHEST for n in graph.nodes.values() if isinstance(n, VerdictNode)]
    if min(ends) >= pass_at:
        return f"every end scores at least pass_at {pass_at:g}, so no answer can fail"
    if max(ends) < pass_at:
        return f"every end scores less than pass_at {pass_at:g}, so no answer can pass"
    return None


def _unknown_start(start: str, nodes: Nodes) -> Iterator[str]:
    if start not in nodes:
        yield f"start: there is no node {start!r}{_meant(start, nodes)}"


def _unknown_targets(nodes: Nodes) -> Iterator[str]:
    for name, node in nodes.items():
        for answer, target in node.branches().items():
            if target not in nodes:
                where = f"node {name!r}: {answer} leads to {target!r}, which does not exist"
                yield where + _meant(target, nodes)


def _meant(name: str, nodes: Nodes) -> str:
    suggestion = did_you_mean(name, nodes)
    return f" ({suggestion})" if suggestion else ""


def _cycle(nodes: Nodes) -> list[str]:
    """The names along a circle, its first one again at the end; empty if there is none."""
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> list[str]:
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done:
            return []
        found = (visit(target, [*path, name]) for target in nodes[name].branches().values())
        circle = next((circle for circle in found if circle), [])
        done.add(name)
        return circle

    return next((circle for circle in (visit(name, []) for name in nodes) if circle), [])


def _starts_at_end(start: str, nodes: Nodes) -> Iterator[str]:
    if isinstance(nodes[start], VerdictNode):
        yield f"node {start!r}: the graph starts at an end, so every answer gets the same score"


def _order(start: str, nodes: Nodes) -> list[str]:
    """The nodes that can be reached, each after all that lead to it."""
    seen: list[str] = []

    def visit(name: str) -> None:
        if name not in seen:
            for target in nodes[name].branches().values():
                visit(target)
            seen.append(name)

    visit(start)
    return seen[::-1]


def _unreachable(start: str, nodes: Nodes) -> Iterator[str]:
    reached = set(_order(start, nodes))
    for name in nodes:
        if name not in reached:
            yield f"node {name!r}: nothing leads to it"


def _tasks_before_verdicts(nodes: Nodes) -> Iterator[str]:
    for name, node in nodes.items():
        if isinstance(node, TaskNode) and isinstance(nodes[node.then], VerdictNode):
            yield f"node {name!r}: a task decides nothing, so it can't lead to end {node.then!r}"


def _reading_problems(start: str, nodes: Nodes) -> Iterator[str]:
    """A node may read a case's texts, and tasks that every way to it has passed."""
    done_before: dict[str, set[str]] = {start: set()}
    read: set[str] = set()
    for name in _order(start, nodes):
        node, known = nodes[name], done_before[name]
        after = known | ({name} if isinstance(node, TaskNode) else set())
        for target in node.branches().values():
            done_before[target] = done_before.get(target, after) & after
        if isinstance(node, TaskNode | BinaryNode | ChoiceNode | GEvalNode):
            read.update(node.reads)
            yield from _unreadable(name, node.reads, known, nodes)
        if isinstance(node, TaskNode) and name in INPUTS:
            yield f"node {name!r}: a task can't have the name of one of the case's texts"
    for name, node in nodes.items():
        if isinstance(node, TaskNode) and name not in read:
            yield f"node {name!r}: no node reads its result"


def _unreadable(name: str, reads: tuple[str, ...], known: set[str], nodes: Nodes) -> Iterator[str]:
    for wanted in reads:
        if wanted in INPUTS or wanted in known:
            continue
        if isinstance(nodes.get(wanted), TaskNode):
            yield f"node {name!r}: reads {wanted!r}, which not every way to it has passed"
        else:
            allowed = ", ".join([*INPUTS, *sorted(known)])
            yield f"node {name!r}: reads {wanted!r}, which is none of: {allowed}"
