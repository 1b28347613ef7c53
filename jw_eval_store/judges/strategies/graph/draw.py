"""Drawing a graph for people: as a tree on a terminal, or as Mermaid."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten

from jw_eval_store.judges.strategies.graph.model import (
    HIGHEST,
    AnyNode,
    BinaryNode,
    ChoiceNode,
    GEvalNode,
    Graph,
    TaskNode,
    VerdictNode,
    in_language,
    steps_in_language,
)
from jw_eval_store.judges.strategies.graph.rules import rule_text

_WIDTH = 100
_SHAPES = {
    "task": ("[/", "/]"),
    "binary": ("{", "}"),
    "choice": ("{", "}"),
    "rule": ("{{", "}}"),
    "g_eval": ("([", "])"),
    "verdict": ("([", "])"),
}


def node_text(node: AnyNode, language: str = "en") -> str:
    """What a node does, in one line."""
    if isinstance(node, TaskNode):
        return in_language(node.task, language)
    if isinstance(node, BinaryNode | ChoiceNode):
        return in_language(node.ask, language)
    if isinstance(node, GEvalNode):
        return in_language(node.criteria, language) if node.criteria else _steps(node, language)
    if isinstance(node, VerdictNode):
        because = node.because or node.about
        return f"{node.score:g}/{HIGHEST}" + (f" {because}" if because else "")
    return rule_text(node)


def _steps(node: GEvalNode, language: str) -> str:
    return "; ".join(steps_in_language(node.steps, language))


def tree(graph: Graph, language: str = "en") -> str:
    """The graph as an indented tree; a node with several parents is written out once."""
    heading = f"{graph.graph}: {graph.about}" if graph.about else graph.graph
    return "\n".join([heading, *_branch(graph, graph.start, "", "", set(), language)])


def _branch(
    graph: Graph, name: str, lead: str, indent: str, drawn: set[str], language: str
) -> Iterator[str]:
    node = graph.nodes[name]
    if name in drawn and not isinstance(node, VerdictNode):
        yield f"{lead}{name} (see above)"
        return
    drawn.add(name)
    yield f"{lead}{name} [{node.kind}] {shorten(node_text(node, language), _WIDTH)}"
    branches = list(node.branches().items())
    for place, (answer, target) in enumerate(branches, 1):
        last = place == len(branches)
        arm, below = ("└─ ", "   ") if last else ("├─ ", "│  ")
        yield from _branch(
            graph, target, f"{indent}{arm}{answer}: ", indent + below, drawn, language
        )


def mermaid(graph: Graph, language: str = "en") -> str:
    """The graph as a Mermaid flow chart."""
    numbers = {name: f"n{number}" for number, name in enumerate(graph.nodes)}
    lines = ["flowchart TD"]
    for name, node in graph.nodes.items():
        opening, closing = _SHAPES[node.kind]
        label = _quoted(f"{name}: {node_text(node, language)}")
        lines.append(f'  {numbers[name]}{opening}"{label}"{closing}')
    for name, node in graph.nodes.items():
        for answer, target in node.branches().items():
            lines.append(f'  {numbers[name]} -- "{_quoted(answer)}" --> {numbers[target]}')
    return "\n".join(lines)


def _line(text: str) -> str:
    return " ".join(text.split())


def _quoted(text: str) -> str:
    """Text within Mermaid's quotes: its own signs as entities."""
    plain = _line(text).replace("#", "#35;").replace('"', "#quot;")
    return plain.replace("<", "#lt;").replace(">", "#gt;")
