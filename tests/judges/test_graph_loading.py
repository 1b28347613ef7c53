"""A graph that is not sound is refused before anything runs, with its node's name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.judges.strategies.graph.draw import mermaid, tree
from jw_eval_store.judges.strategies.graph.load import find_graph, parse_graph, ready_made
from jw_eval_store.judges.strategies.graph.strategy import GraphStrategy

SOUND = """
graph: soul
about: does it teach what we teach
start: cited
nodes:
  cited:
    kind: rule
    rule: cites
    yes: claims
    no: {score: 0, because: nothing is cited}
  claims:
    kind: task
    task: List the claims.
    reads: [candidate]
    then: denies
  denies:
    kind: binary
    ask: {en: Does it deny one?, es: ¿Niega alguna?}
    reads: [golden, claims]
    yes: wrong
    no: how_much
  how_much:
    kind: choice
    ask: How much does it say?
    reads: [golden, claims]
    answers:
      all: degree
      some: degree
      none: wrong
  degree:
    kind: g_eval
    criteria: Fidelity.
    reads: [golden, candidate]
  wrong:
    kind: verdict
    score: 0
    because: it teaches something else
"""


def swap(old: str, new: str, text: str = SOUND) -> str:
    assert old in text
    return text.replace(old, new)


def problem_of(text: str) -> str:
    with pytest.raises(UsageError) as caught:
        parse_graph(text, "soul.yaml")
    assert "soul.yaml" in str(caught.value)
    return str(caught.value)


def test_a_sound_graph_is_read_with_its_ends_named() -> None:
    graph = parse_graph(SOUND, "soul.yaml")
    assert list(graph.nodes["how_much"].branches()) == ["all", "some", "none"]
    assert graph.nodes["cited"].branches() == {"yes": "claims", "no": "cited.no"}


UNSOUND = {
    "unknown kind": (swap("kind: binary", "kind: ternary"), "'denies'"),
    "no kind": (swap("    kind: binary\n", ""), "'denies'"),
    "unknown key": (swap("    rule: cites\n", "    rule: cites\n    url: x\n"), "'cited'"),
    "unknown rule": (swap("rule: cites", "rule: guess"), "'cited'"),
    "missing branch": (swap("    no: how_much\n", ""), "'denies'"),
    "one answer only": (swap("      some: degree\n      none: wrong\n", ""), "'how_much'"),
    "answer in two words": (swap("some: degree", "some more: degree"), "'how_much'"),
    "answer in capitals": (swap("some: degree", "All: degree"), "'how_much'"),
    "unknown target": (swap("no: how_much", "no: how_mutch"), "how_much?"),
    "unknown start": (swap("start: cited", "start: cite"), "'cite'"),
    "end with a switch": (swap("score: 0\n", "score: true\n"), "score: Input should be a number"),
    "end above ten": (swap("score: 0\n", "score: 11\n"), "'wrong'"),
    "end without score": (swap("    score: 0\n", ""), "'wrong'"),
    "score and child": (swap("score: 0, because", "score: 0, then: claims, because"), "'cited.no'"),
    "cycle": (swap("some: degree", "some: denies"), "'denies'"),
    "cycle of one": (swap("some: degree", "some: how_much"), "'how_much'"),
    "unreachable": (swap("no: how_much", "no: degree"), "'how_much'"),
    "task before an end": (swap("then: denies", "then: wrong"), "'claims'"),
    "reads nothing": (swap("    reads: [candidate]\n", ""), "'claims'"),
    "reads the unknown": (swap("[golden, claims]\n    yes", "[gold]\n    yes"), "'denies'"),
    "reads what is not there yet": (swap("yes: claims", "yes: denies"), "'claims'"),
    "reads a node that is no task": (
        swap("[golden, claims]\n    answers", "[claims, denies]\n    answers"), "'how_much'",
    ),
    "no criteria": (swap("    criteria: Fidelity.\n", ""), "'degree'"),
    "bad pattern": (
        swap("rule: cites", "rule: regex\n    pattern: '(unclosed'"), "'cited'",
    ),
    "no phrases": (
        swap("rule: cites", "rule: contains_any\n    phrases: []"), "'cited'",
    ),
    "unnamed list of the case": (
        swap("rule: cites", "rule: contains_any\n    phrases: keywords"), "keywords",
    ),
    "similarity without a value": (swap("rule: cites", "rule: min_similarity"), "'cited'"),
    "node name with a dot": (swap("  wrong:\n", "  is.wrong:\n"), "'is.wrong'"),
    "task named like a text": (
        swap("claims", "golden", swap("reads: [golden, claims]", "reads: [golden]")), "'golden'",
    ),
    "result that nobody reads": (swap("reads: [golden, claims]", "reads: [golden]"), "'claims'"),
    "key twice": (SOUND + "  wrong:\n    kind: verdict\n    score: 1\n", "wrong"),
    "unknown key of the graph": (swap("about:", "descripton:"), "descripton"),
    "no nodes": ("graph: x\nstart: y\n", "nodes"),
    "no mapping": ("- x\n", "mapping"),
    "no YAML": ("graph: [x\n", "not sound"),
    "start at an end": (
        "graph: x\nstart: a\nnodes:\n  a: {kind: verdict, score: 1}\n", "'a'",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "named"), UNSOUND.values(), ids=UNSOUND.keys())
def test_an_unsound_graph_is_refused_with_its_node_s_name(text: str, named: str) -> None:
    assert named in problem_of(text)


def test_all_faults_are_told_at_once() -> None:
    text = swap("score: 0\n", "score: 11\n", swap("kind: binary", "kind: ternary"))
    told = problem_of(text)
    assert "'wrong'" in told
    assert "'denies'" in told


def test_a_result_that_only_some_ways_bring_may_not_be_read() -> None:
    text = swap("no: {score: 0, because: nothing is cited}", "no: denies")
    assert "'claims', which not every way to it has passed" in problem_of(text)


def test_a_threshold_that_no_answer_can_fail_or_reach_is_refused() -> None:
    fixed = "graph: x\nstart: a\nnodes:\n  a: {kind: rule, rule: cites, yes: {score: 8}, no: b}\n"
    graph = parse_graph(fixed + "  b: {kind: verdict, score: 5}\n", "x.yaml")
    GraphStrategy(graph, 0.6)
    with pytest.raises(UsageError, match="no answer can fail"):
        GraphStrategy(graph, 0.5)
    with pytest.raises(UsageError, match="no answer can pass"):
        GraphStrategy(graph, 0.9)


def test_the_hash_follows_what_can_change_a_verdict() -> None:
    same = parse_graph(SOUND, "other.yaml").content_hash
    assert same == parse_graph(SOUND, "soul.yaml").content_hash
    other_order = swap(
        "      all: degree\n      some: degree\n", "      some: degree\n      all: degree\n"
    )
    for text in (
        other_order,
        swap("Fidelity.", "Fidelity!"),
        swap("start: cited", "start: cited\n"),
    ):
        changed = parse_graph(text, "soul.yaml").content_hash != same
        assert changed == (text.strip() != swap("start: cited", "start: cited\n").strip())


def test_graphs_are_found_by_name_or_beside_the_case(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("\ufeff" + SOUND, encoding="utf-8")
    assert find_graph("mine.yaml", tmp_path).graph == "soul"
    assert find_graph("fidelity").graph == "fidelity"
    for name in ("fidelty", "mine", "other.yaml", "../mine.yaml"):
        with pytest.raises(UsageError, match="fidelity"):
            find_graph(name, tmp_path)


def test_every_ready_made_graph_is_sound_in_both_languages() -> None:
    assert "fidelity" in ready_made()
    for name in ready_made():
        graph = find_graph(name)
        assert graph.graph == name
        GraphStrategy(graph, 0.7)
        assert tree(graph, "en") != tree(graph, "es")


def test_the_documented_graph_is_sound() -> None:
    page = Path(__file__).parents[2] / "docs" / "judges.md"
    blocks = re.findall(r"```yaml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    [documented] = [block for block in blocks if block.startswith("graph:")]
    GraphStrategy(parse_graph(documented, "docs/judges.md"), 0.7)


def test_the_tree_shows_every_node_once_and_every_answer() -> None:
    drawn = tree(parse_graph(SOUND, "soul.yaml"))
    assert drawn.split("\n") == [
        "soul: does it teach what we teach",
        "cited [rule] cites expected",
        "├─ yes: claims [task] List the claims.",
        "│  └─ then: denies [binary] Does it deny one?",
        "│     ├─ yes: wrong [verdict] 0/10 it teaches something else",
        "│     └─ no: how_much [choice] How much does it say?",
        "│        ├─ all: degree [g_eval] Fidelity.",
        "│        ├─ some: degree (see above)",
        "│        └─ none: wrong [verdict] 0/10 it teaches something else",
        "└─ no: cited.no [verdict] 0/10 nothing is cited",
    ]


def test_the_chart_has_every_node_and_edge_and_its_signs_are_harmless() -> None:
    chart = mermaid(parse_graph(swap("Fidelity.", 'How "near" <b>#1</b>?'), "soul.yaml"))
    lines = chart.split("\n")
    assert lines[0] == "flowchart TD"
    assert sum("-->" in line for line in lines) == 8
    assert '"degree: How #quot;near#quot; #lt;b#gt;#35;1#lt;/b#gt;?"' in chart
