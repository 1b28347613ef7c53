"""A wrong argument of the library is refused as such: the database is not to blame for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jw_eval_store import Suite, evaluate
from jw_eval_store.domain.errors import UsageError
from tests.runs.conftest import URL, Project

HUGE = 2**63
LONE = "\udc80"
SAYS = [{"text": "God so loved the world", "url": URL}]
MEANING = {
    "id": "c",
    "layer": "l3",
    "agent": "any",
    "input": {"question": "why"},
    "expected": {"golden_answer": "God loved the world."},
}


@pytest.fixture
def suite(project: Project) -> Suite:
    project.case("one")
    suite = Suite(project.root)
    suite.run()
    return suite


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda store: store.trend(by="week"), r"by is 'week'.*known: run, day, revision"),
        (lambda store: store.trend(by=["run"]), r"by is \['run'\]"),
        (lambda store: store.trend(last=0), "last is 0.*give 1 or more"),
        (lambda store: store.trend(last=HUGE), "last is 9223372036854775808.*64 bits"),
        (lambda store: store.trend(last="3"), "last is '3'.*whole number"),
        (lambda store: store.trend(agent=5), "agent is 5.*give a text"),
        (lambda store: store.trend(agent=LONE), "agent is '.udc80'.*Unicode"),
        (lambda store: store.trend(layer=["l1"]), "there is no layer"),
        (lambda store: store.trend(language=5), "language is 5"),
        (lambda store: store.trend(bundled="no"), "bundled is 'no'.*True or False"),
        (lambda store: store.runs(0), "limit is 0"),
        (lambda store: store.runs(HUGE), "limit is 9223372036854775808"),
        (lambda store: store.runs(1.5), "limit is 1.5"),
        (lambda store: store.report(5), "run is 5"),
        (lambda store: store.report(""), "run is ''"),
        (lambda store: store.diff(Path("a.json")), "before is PosixPath.*give a text"),
        (lambda store: store.diff("last", None), "after is None"),
        (lambda store: store.explain(HUGE), "case is 9223372036854775808"),
        (lambda store: store.explain("one", 5), "run is 5"),
        (lambda store: store.query(5), "sql is 5"),
        (lambda store: store.query(f"SELECT '{LONE}'"), "sql is .*Unicode"),
        (lambda store: store.query("SELECT 1", limit=HUGE), "limit is 9223372036854775808"),
        (lambda store: store.query("SELECT 1", limit="1"), "limit is '1'"),
        (lambda store: store.query("SELECT 1", seconds="1"), "seconds is '1'"),
        (lambda store: store.query("SELECT 1", seconds=float("nan")), "seconds is nan"),
        (lambda store: store.query("SELECT :x", x=HUGE), ":x is 9223372036854775808.*64 bits"),
        (lambda store: store.query("SELECT :x", x=LONE), ":x is .*Unicode"),
        (lambda store: store.query("SELECT :x", x=[1]), r":x is \[1\]"),
        (lambda store: type(store)(5), "path is 5.*give a path"),
        (lambda store: type(store)("a\0b"), "path is 'a.x00b'"),
    ],
)
def test_of_a_store(suite: Suite, ask: Callable[[Any], object], said: str) -> None:
    refused(lambda: ask(suite.store), said)


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda suite: suite.cases({"agent": 5}), "filter 'agent' is 5.*give a list"),
        (lambda suite: suite.cases({"agent": None}), "filter 'agent' is None"),
        (lambda suite: suite.cases({"agent": [5]}), "filter 'agent' is 5.*give a text"),
        (lambda suite: suite.cases({"language": [5]}), "filter 'language' is 5"),
        (lambda suite: suite.cases({"id": LONE}), "filter 'id' is .*Unicode"),
        (lambda suite: suite.cases({"id": " "}), "filter 'id' is ' '"),
        (lambda suite: suite.cases({5: "x"}), "a name in filters is 5"),
        (lambda suite: suite.cases("agent=x"), "filters is 'agent=x'.*give a mapping"),
        (lambda suite: suite.run(1), "layers is 1.*give a list"),
        (lambda suite: suite.run([9]), "there is no layer '9'"),
        (lambda suite: suite.run(since=5), "since is 5"),
        (lambda suite: suite.run(since=""), "since is ''"),
        (lambda suite: suite.run(since="a\0b"), "since is .*null"),
        (lambda suite: suite.run(baseline=5), "baseline is 5"),
        (lambda suite: suite.run(repeat=None), "repeat is None"),
        (lambda suite: suite.run(repeat=1.5), "repeat is 1.5"),
        (lambda suite: suite.run(jobs="2"), "jobs is '2'"),
        (lambda suite: suite.run(progress=5), "progress is 5.*give a function"),
        (lambda suite: suite.coverage(5), "agents is 5"),
        (lambda suite: suite.coverage([5]), "an agent is 5"),
        (lambda suite: suite.coverage(new_since=5), "new_since is 5"),
        (lambda suite: type(suite)(5), "project is 5"),
        (lambda suite: type(suite)(db=5), "db is 5"),
        (lambda suite: type(suite)(bundled="no"), "bundled is 'no'"),
        (lambda suite: type(suite)(agents=["x"]), r"agents is \['x'\]"),
        (lambda suite: type(suite)(agents={5: len}), "a name in agents is 5"),
        (lambda suite: type(suite)(judge=5), "judge is 5"),
        (lambda suite: type(suite)(embedder=len), "embedder is .*`identity` and `embed`"),
    ],
)
def test_of_a_suite(suite: Suite, ask: Callable[[Any], object], said: str) -> None:
    refused(lambda: ask(suite), said)
    assert len(suite.store.runs()) == 1


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"case": 5}, "case is 5"),
        ({"case": "a\0b"}, "case is 'a.x00b'"),
        ({"snapshots": 5}, "snapshots is 5"),
        ({"snapshots": "nowhere"}, "the snapshots folder nowhere does not exist"),
        ({"origins": ["self"]}, "an origin is 'self'.*captured, imported, authored"),
        ({"origins": "captured, authored"}, "an origin is 'captured, authored'"),
        ({"origins": None}, "origins is None"),
        ({"judge": 5}, "judge is 5"),
        ({"embedder": 5}, "embedder is 5"),
        ({"nli": 5}, "nli is 5"),
        ({"nli_kind": None}, "nli_kind is None"),
    ],
)
def test_of_one_answer(wrong: dict[str, Any], said: str) -> None:
    refused(lambda: evaluate(**{"case": MEANING, "answer": SAYS} | wrong), said)


def test_more_rows_than_there_can_be_are_all_of_them(suite: Suite) -> None:
    assert suite.store.query("SELECT 1 AS one", limit=2**40) == [{"one": 1}]


def test_a_layer_or_an_origin_may_stand_alone(suite: Suite, project: Project) -> None:
    assert [r.case_id for r in suite.run("l1").results] == ["one"]
    path = project.case("cited", layer="l2")
    project.snapshot()
    origin: Any = "imported"
    assert evaluate(path, SAYS, snapshots=project.root / "snapshots", origins=origin).verdict == (
        "pass"
    )


def refused(ask: Callable[[], object], said: str) -> None:
    with pytest.raises(UsageError, match=f"(?s){said}") as raised:
        ask()
    assert "damaged" not in str(raised.value)
