from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import OpenTerminal

Asked = Callable[..., tuple[str, str]]


@pytest.fixture
def asked(terminal: OpenTerminal, project: Path) -> Asked:
    """Answer the questions of `cases add`; returns the case's YAML, and what stood on screen."""

    def answer(answers: list[str], *options: str) -> tuple[str, str]:
        desk = terminal()
        desk.type("".join(f"{answer}\n" for answer in answers))
        done = subprocess.run(
            [sys.executable, "-m", "jw_eval_cli", "cases", "add", *options],
            cwd=project, env={**os.environ, "TERM": "dumb"}, stdin=desk.stream,
            stdout=subprocess.PIPE, stderr=desk.stream, text=True, check=False, timeout=60,
        )  # fmt: skip
        shown = desk.close()
        assert (done.returncode, done.stdout[:10]) == (0, "added     "), shown
        return Path(done.stdout.split("  ")[-1].strip()).read_text(), shown

    return answer


def test_a_case_of_structure_is_asked_for_and_each_answer_is_checked_at_once(asked: Asked) -> None:
    text, shown = asked(
        [
            "apologetics",
            "7",  # no such layer: asked again
            "1",
            "language=es",
            "nonsense",  # not KEY=VALUE: this line alone is asked for again
            "text=",  # no value
            "question=¿Muere el alma?",
            "",
            "", "", "", "",  # expects nothing: asked again
            "many",  # no number
            "2",
            "topic_index", "",
            "true",  # must_have_citation
            "",  # no forbidden words
            "doctrine.soul",
            "",  # the id that is offered
        ]
    )  # fmt: skip
    for said in (
        "there is no layer '7'",
        "'nonsense' is not key=value",
        "such as language=es",
        "'text=' has no value",
        "a case that expects nothing can't fail",
        "'many' is not a whole number",
        "Id [l1_apologetics_soul_es]",
    ):
        assert said in shown
    assert "input." not in shown
    assert text.startswith("id: l1_apologetics_soul_es\nagent: apologetics\n")
    assert 'language: es\n  question: "¿Muere el alma?"' in text
    assert "min_findings: 2\n" in text
    assert "must_have_source:\n    - topic_index\n" in text
    assert "topic: doctrine.soul" in text


@pytest.mark.long
def test_what_a_case_of_meaning_needs_is_asked_for_until_it_is_there(asked: Asked) -> None:
    text, shown = asked(
        [
            "question=¿Muere el alma?", "",
            "",  # the golden answer is needed
            "El alma muere.",
            "", "",  # no words
            "El alma es inmortal.", "",
            "",  # no topic
            "l3 soul",  # no id
            "",
        ],
        "--agent", "apologetics", "--layer", "3", "--input", "language=es",
    )  # fmt: skip
    assert shown.count("The golden answer:") == 2
    assert "'l3 soul' is not of the right form" in shown
    assert "id: l3_apologetics_muere_el_alma_es\n" in text
    assert 'golden_answer: "El alma muere."' in text or "golden_answer: El alma muere." in text
    assert "counter_answers:" in text


@pytest.mark.long
def test_a_case_of_citations_needs_a_url_and_a_phrase_and_a_free_id(asked: Asked) -> None:
    answers = [
        "reference=Juan 3:16", "",
        "", "wol.jw.org",  # needed, and no address
        "https://wol.jw.org/es/wol/b/r4/lp-s/nwt/43/3", "",
        "", "amó Dios al mundo", "",  # needed
        "",
        "",
    ]  # fmt: skip
    options = ("--agent", "verse_explainer", "--layer", "2")
    text, shown = asked(answers, *options)
    assert "'wol.jw.org' is not of the right form" in shown
    assert "id: l2_verse_explainer_juan_3_16\n" in text
    assert "amó Dios al mundo" in text
    taken, shown = asked([*answers[:-1], "l2_verse_explainer_juan_3_16", ""], *options)
    assert "case 'l2_verse_explainer_juan_3_16' exists already" in shown
    assert "id: l2_verse_explainer_juan_3_16_2\n" in taken
