from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any

import pytest

from jw_eval_store.domain.expectations import SOURCE_PRIORITY
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.sample import AGENTS
from jw_eval_store.sample.apologetics import apologetics
from jw_eval_store.sample.results import AgentResult
from jw_eval_store.text.urls import parse_url

if TYPE_CHECKING:
    from tests.sample.conftest import Ask

PARAMETER = {
    "apologetics": "question",
    "verse_explainer": "text",
    "research_topic": "topic",
    "meeting_helper": "input_text",
}


def asked(ask: Ask, agent: str, query: str, language: str) -> AgentOutput:
    return ask(agent, {PARAMETER[agent]: query, "language": language})


def sources(output: AgentOutput) -> list[str | None]:
    return [finding.source for finding in output.findings]


def test_results_have_the_toolkits_shape() -> None:
    result = asyncio.run(apologetics("Is the Trinity in the Bible?"))
    assert isinstance(result, AgentResult)
    shape: dict[str, Any] = result.to_dict()
    assert list(shape) == ["query", "agent_name", "findings", "warnings", "metadata"]
    assert list(shape["findings"][0]) == ["summary", "citation", "excerpt", "metadata"]
    assert list(shape["findings"][0]["citation"]) == ["url", "title", "kind", "metadata"]
    assert not hasattr(result.findings[0], "text")


def test_volatile_fields_differ_and_the_normalised_answer_does_not(ask: Ask) -> None:
    first, second = (asyncio.run(apologetics("What is hell?")) for _ in range(2))
    assert first.metadata["trace_id"] != second.metadata["trace_id"]
    assert "accessed_at" in first.findings[0].citation.metadata
    one, other = (asked(ask, "apologetics", "What is hell?", "E") for _ in range(2))
    assert one.content_hash == other.content_hash
    assert "accessed_at" not in one.content


def test_apologetics_follows_the_documented_priority_of_sources(ask: Ask) -> None:
    output = asked(ask, "apologetics", "Is hell hot? Romans 6:23; John 3:16", "E")
    seen = list(dict.fromkeys(sources(output)))
    assert seen == ["topic_index", "question_refs", "verse_text", "study_note"]
    assert seen == sorted(seen, key=lambda source: SOURCE_PRIORITY.index(str(source)))
    assert sources(output).count("question_refs") == 2


def test_a_question_about_two_topics_gets_both_as_candidates(ask: Ask) -> None:
    output = asked(ask, "apologetics", "Are the Trinity and hell in the Bible?", "E")
    assert sources(output) == ["topic_index_candidate"] * 2
    assert [finding.citation.title for finding in output.findings] == ["Trinity", "Hell"]


@pytest.mark.parametrize(
    ("written", "language", "verse"),
    [
        ("Hch 4:12", "es", "44/4#study=discover&v=44:4:12"),
        ("Primera de Juan 4:8", "es", "62/4#study=discover&v=62:4:8"),
        ("Salmo 83:18", "S", "19/83#study=discover&v=19:83:18"),
        ("1 João 4:8", "pt", "62/4#study=discover&v=62:4:8"),
        ("Acts 4:12", "E", "44/4#study=discover&v=44:4:12"),
    ],
)
def test_references_are_read_in_every_language(
    ask: Ask, written: str, language: str, verse: str
) -> None:
    found = asked(ask, "verse_explainer", written, language).findings[0]
    assert found.citation.url.endswith("/" + verse)
    assert found.excerpt


@pytest.mark.parametrize(
    ("language", "page"),
    [
        ("en", "https://wol.jw.org/en/wol/b/r1/lp-e/bi22/43/3"),
        ("es", "https://wol.jw.org/es/wol/b/r4/lp-s/nwt/43/3"),
        ("pt", "https://wol.jw.org/pt/wol/b/r5/lp-t/nwt/43/3"),
        ("ase", "https://wol.jw.org/ase/wol/b/r266/lp-asl/nwt/43/3"),
    ],
)
def test_urls_name_the_page_and_the_verse(ask: Ask, language: str, page: str) -> None:
    written = {"es": "Juan 3:16", "pt": "João 3:16"}.get(language, "John 3:16")
    url = parse_url(asked(ask, "verse_explainer", written, language).findings[0].citation.url)
    assert url.fetch_key == page
    assert str(url.anchor) == "v43:3:16"


def test_ranges_lists_and_chapters_give_the_verses_that_the_corpus_holds(ask: Ask) -> None:
    def titles(written: str) -> list[str]:
        output = asked(ask, "verse_explainer", written, "en")
        return [f.citation.title for f in output.findings if f.source == "target_verse"]

    assert titles("John 5:28, 29") == ["John 5:28", "John 5:29"]
    assert titles("Psalm 37:10-29") == ["Psalm 37:10", "Psalm 37:11", "Psalm 37:29"]
    assert titles("Matthew 24") == ["Matthew 24:14"]
    assert titles("John 13:34-14:6") == ["John 13:34", "John 13:35", "John 14:6"]


def test_a_verse_outside_of_the_corpus_is_a_warning_and_no_finding(ask: Ask) -> None:
    output = asked(ask, "verse_explainer", "Isaías 7:14", "es")
    assert not output.findings
    assert output.warnings == ("Isaías 7:14 is not in the sample's Reina-Valera 1909",)


@pytest.mark.parametrize("agent", AGENTS)
def test_nothing_found_is_said(ask: Ask, agent: str) -> None:
    nothing = asked(ask, agent, "Who won the match?", "en")
    assert not nothing.findings
    assert nothing.warnings == ("nothing in the sample corpus answers 'Who won the match?'",)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_language_without_a_corpus_is_said(ask: Ask, agent: str) -> None:
    output = asked(ask, agent, "Jean 3:16", "F")
    assert not output.findings
    assert "no language 'F'" in output.warnings[0]


def test_verse_explainer_tells_verse_note_and_cross_references_apart(ask: Ask) -> None:
    output = asked(ask, "verse_explainer", "Romanos 6:23", "pt")
    assert sources(output) == ["target_verse", "study_note", *["cross_ref"] * 3]


def test_research_topic_sets_no_metadata(ask: Ask) -> None:
    output = asked(ask, "research_topic", "God's Kingdom", "E")
    assert all(not finding.metadata for finding in output.findings)
    assert list(dict.fromkeys(sources(output))) == ["topic_subject", "topic_subheading", "verse"]


def test_meeting_helper_comments_from_note_then_topic_then_bare_verse(ask: Ask) -> None:
    def comment(written: str) -> str:
        return asked(ask, "meeting_helper", written, "en").findings[0].summary

    assert comment("John 3:16").startswith("A comment on John 3:16: Love moved God")
    assert comment("Daniel 2:44").startswith("A comment on Daniel 2:44: The Kingdom will never")
    assert comment("Genesis 1:1") == "Read Genesis 1:1 aloud and say what it says of God."


def test_different_questions_get_different_answers(ask: Ask) -> None:
    questions = [f"{name}?" for name in ("Trinity", "hell", "soul", "prayer", "blood", "paradise")]
    answers = {asked(ask, "apologetics", q, "E").answer() for q in questions}
    assert len(answers) == len(questions)


def test_agents_touch_no_network(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("an agent opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    for agent in AGENTS:
        assert asked(ask, agent, "John 3:16 and the soul", "en").findings
