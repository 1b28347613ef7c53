"""An answer that turns the doctrine round never passes on cosine, however near it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from jw_eval_store.config import load_config
from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.selections import Selection
from jw_eval_store.golden.folders import read_folder
from jw_eval_store.judges.embedders.usem3 import Usem3Embedder
from jw_eval_store.resources import bundled
from jw_eval_store.runs.given import Given
from jw_eval_store.runs.request import RunRequest
from jw_eval_store.runs.suite import run_suite

INVERTED: Mapping[str, tuple[tuple[str, str], ...]] = {
    "l3_apologetics_gods_name_en": (
        ("God's name is Jehovah", "God's name is not Jehovah"),
        ("Psalm 83:18", "Psalm 83:19"),
        ("Jesus made", "Jesus never made"),
    ),
    "l3_apologetics_hell_es": (
        ("Dios no atormenta a nadie", "Dios atormenta a muchos"),
        ("están inconscientes", "están conscientes"),
        ("Romanos 6:23", "Romanos 6:3"),
    ),
    "l3_apologetics_identity_of_christ_pt": (
        ("e não o próprio Deus", "e o próprio Deus"),
        ("que é maior do que ele", "que é menor do que ele"),
        ("está sujeito", "não está sujeito"),
    ),
    "l3_apologetics_soul_en": (
        ("the soul dies", "the soul never dies"),
        ("know nothing", "know everything"),
        ("does not have a soul but is one", "has a soul"),
    ),
    "l3_apologetics_trinity_basic_es": (
        ("no es una enseñanza bíblica", "es una enseñanza bíblica"),
        ("Juan 17:3", "Juan 17:5"),
        ("siglos después", "siglos antes"),
    ),
    "l3_research_topic_earthly_hope_pt": (
        ("Não haverá mais morte", "Haverá mais morte"),
        ("para ser habitada", "para não ser habitada"),
        ("Os mansos", "Os maus"),
    ),
}


def bundled_cases() -> list[SemanticCase]:
    reads, invalid = read_folder(bundled("seeds"))
    assert not invalid
    return [read.case for read in reads if isinstance(read.case, SemanticCase)]


def wrong_answers(case: SemanticCase) -> list[str]:
    """Every golden answer with one thing turned round, and the known wrong answers."""
    golden = case.expected.golden_answer
    turned = []
    for right, wrong in INVERTED[case.id]:
        assert right in golden
        turned.append(golden.replace(right, wrong))
    return [*turned, *case.expected.counter_answers]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    """(case id, answer) -> verdict, with an embedder and no judge."""
    folder = tmp_path_factory.mktemp("inverted")
    config = load_config(folder, environ={"JW_EVAL_LLM": "none"})
    cases = bundled_cases()
    answers = {case.id: [*wrong_answers(case), case.expected.golden_answer] for case in cases}
    asked = {str(case.input.get("question", case.input.get("topic"))): case.id for case in cases}
    found: dict[tuple[str, str], str] = {}
    embedder = Usem3Embedder()
    for place in range(max(map(len, answers.values()))):
        said = {case: told[min(place, len(told) - 1)] for case, told in answers.items()}

        def agent(said: dict[str, str] = said, **asks: Any) -> dict[str, Any]:
            case = asked[str(asks.get("question", asks.get("topic")))]
            url = "https://wol.jw.org/es/wol/d/r4/lp-s/1101989140"
            return {"findings": [{"text": said[case], "citation": {"url": url}}]}

        agents = dict.fromkeys(("apologetics", "research_topic"), agent)
        given = Given(agents=agents, embedder=embedder)
        request = RunRequest(Selection(layers=("l3",)), bundled=True, given=given)
        report = run_suite(request, config)
        found |= {(r.case_id, said[r.case_id]): r.verdict for r in report.results}
    return found


def test_no_inverted_answer_passes(judged: dict[tuple[str, str], str]) -> None:
    for case in bundled_cases():
        for answer in wrong_answers(case):
            assert judged[case.id, answer] in ("fail", "error"), answer


def test_the_golden_answers_themselves_pass_without_a_judge(
    judged: dict[tuple[str, str], str],
) -> None:
    verdicts = {case.id: judged[case.id, case.expected.golden_answer] for case in bundled_cases()}
    del verdicts["l3_apologetics_trinity_basic_es"]  # holds none of its own required keywords
    assert set(verdicts.values()) == {"pass"}
