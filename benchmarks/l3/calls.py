"""How many calls each strategy makes for a bundled case, by what is wrong with the answer.

Counted over HTTP at a server of the tests that answers as a faultless model would.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.l3.figures import heading
from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.judging import JudgeSpec
from jw_eval_store.domain.outputs import AgentOutput, Citation, Finding
from jw_eval_store.domain.settings import JudgeSettings
from jw_eval_store.golden.folders import read_folder
from jw_eval_store.judges.factory import make_asker, make_client, make_judge
from jw_eval_store.judges.judgement import Judgement
from jw_eval_store.resources import bundled
from jw_eval_store.runs.semantic import judgement_of
from tests.judges.fakes import said
from tests.judges.servers import MODEL, Reply, scripted_server

_RULES = ("findings", "forbidden", "sources", "keywords")
"""Nodes of the ready-made graph that ask no model, in their order; `other_form` comes next."""
_SPECS: Mapping[str, Mapping[str, Any]] = {
    "verdict": {},
    "claims": {"strategy": "claims", "pass_at": 0.7},
    "g_eval": {
        "strategy": "g_eval",
        "pass_at": 0.7,
        "criteria": "The candidate says what the golden answer says.",
    },
    "graph": {"strategy": "graph", "pass_at": 0.6, "graph": "no_rules.yaml"},
    "graph, rules first": {"strategy": "graph", "pass_at": 0.6, "graph": "fidelity"},
}


@dataclass(frozen=True)
class _Truth:
    """What a faultless model would say of an answer."""

    says: bool = True
    denies: bool = False
    keyword: bool = True

    def __call__(self, body: dict[str, Any]) -> Reply:
        """The answer in the shape that is asked for."""
        fields = body["format"]["properties"]
        answers: dict[str, Callable[[], object]] = {
            "claims": lambda: ["one", "two", "three"],
            "verdicts": lambda: self._numbered(fields["verdicts"]["maxItems"]),
            "score": lambda: 10 if self.says else 0,
            "steps": lambda: ["Compare them."],
            "output": lambda: "1. one 2. two 3. three",
            "verdict": lambda: self._label(fields["verdict"]["enum"], body),
            "reason": lambda: "so it is",
        }
        return Reply(said(**{name: answers[name]() for name in fields}))

    def _numbered(self, count: int) -> list[dict[str, Any]]:
        verdict = "yes" if self.says else "no"
        return [{"number": number, "verdict": verdict} for number in range(1, count + 1)]

    def _label(self, labels: Sequence[str], body: dict[str, Any]) -> str:
        if set(labels) != {"yes", "no"}:
            return labels[0] if self.says else labels[-1]
        asked = str(body["messages"][-1]["content"])
        about_denial = "contradict" in asked or "contradice" in asked
        return "yes" if (self.denies if about_denial else self.keyword) else "no"


def print_calls() -> None:
    """The table: mean calls a case, and the least and most where cases differ."""
    judgements = [judgement_of(case, _right(case), None) for case in _cases()]
    kinds = list(_kinds(judgements[0]))
    print(f"\nCalls per case: {len(judgements)} bundled cases\n{heading(kinds, 'strategy')}")
    with TemporaryDirectory() as folder:
        _write_without_rules(Path(folder))
        for name, written in _SPECS.items():
            counts = _counts(written, judgements, Path(folder))
            print(f"| {name} | {' | '.join(_shown(counts[kind]) for kind in kinds)} |")


def _counts(
    written: Mapping[str, Any], judgements: Sequence[Judgement], folder: Path
) -> dict[str, list[int]]:
    counts: dict[str, list[int]] = {}
    spec = JudgeSpec.model_validate(written)
    with scripted_server() as server:
        settings = JudgeSettings(llm="ollama", url=server.url, model=MODEL)
        server.answer = _Truth()
        with make_client(settings, {}) as client:
            asker = make_asker(client, settings, fresh=True)
            judge = make_judge(spec, asker, settings, folder)
            for judgement in judgements:
                judge(judgement)  # not counted: g_eval writes its check list, once a language
            for judgement in judgements:
                for kind, (changed, truth) in _kinds(judgement).items():
                    server.answer = truth
                    before = asker.run_budget.spent_calls
                    judge(changed)
                    counts.setdefault(kind, []).append(asker.run_budget.spent_calls - before)
    return counts


def _kinds(judgement: Judgement) -> dict[str, tuple[Judgement, _Truth]]:
    """Answers to one case: right, and wrong in one way each, with the truth about each."""
    [keyword, *_], [forbidden, *_] = judgement.keywords_any, judgement.keywords_none
    return {
        "right": (judgement, _Truth()),
        "contradicts": (
            replace(judgement, candidate=f"{keyword}: it is not so."),
            _Truth(says=False, denies=True),
        ),
        "other topic": (
            replace(judgement, candidate="Rain falls on the hills."),
            _Truth(says=False, keyword=False),
        ),
        "forbidden keyword": (replace(judgement, candidate=f"{keyword}, {forbidden}"), _Truth()),
        "page not cited": (
            replace(judgement, expected_citations=("https://example.org/page",), cited=()),
            _Truth(),
        ),
        "nothing found": (replace(judgement, findings=0), _Truth()),
    }


def _cases() -> list[SemanticCase]:
    """The bundled L3 cases that name required and forbidden keywords."""
    read, _ = read_folder(bundled("seeds") / "l3")
    return [
        each.case
        for each in read
        if isinstance(each.case, SemanticCase)
        and each.case.expected.expected_keywords_any
        and each.case.expected.expected_keywords_none
    ]


def _right(case: SemanticCase) -> AgentOutput:
    """The golden answer with a required keyword, and a finding per page that is to be cited."""
    [keyword, *_] = case.expected.expected_keywords_any
    cited = [Citation(url=each.url) for each in case.expected.expected_citations]
    text = Finding(text=f"{case.expected.golden_answer} {keyword}")
    return AgentOutput(findings=(text, *(Finding(citation=citation) for citation in cited)))


def _write_without_rules(folder: Path) -> None:
    """The ready-made graph as it would be if a model were asked everything."""
    from ruamel.yaml import YAML

    import jw_eval_store.judges

    yaml = YAML()
    graph = yaml.load(Path(jw_eval_store.judges.__path__[0]) / "graphs" / "fidelity.yaml")
    for name in _RULES:
        del graph["nodes"][name]
    graph |= {"graph": "no_rules", "start": "other_form"}
    yaml.dump(graph, folder / "no_rules.yaml")


def _shown(counts: Sequence[int]) -> str:
    low, high = min(counts), max(counts)
    return str(low) if low == high else f"{statistics.mean(counts):.1f} ({low}-{high})"
