"""Answers a doctrinal question: topic index first, then the verses, then the notes on them."""

from __future__ import annotations

from jw_eval_store.sample.finding import (
    close_answer,
    note_findings,
    open_answer,
    topic_citation,
    topics_in,
    verse_finding,
    verses_in,
)
from jw_eval_store.sample.library import Library, Topic, Verse
from jw_eval_store.sample.results import AgentResult, Finding


async def apologetics(question: str, *, language: str = "E") -> AgentResult:
    """Findings with `metadata.source`, in the toolkit's order of sources.

    `language` is a JW code or an ISO code. A question that names two topics alike gets both as
    candidates.
    """
    answer, corpus = open_answer("apologetics", question, language)
    if corpus is None:
        return answer
    topics = topics_in(question, corpus)
    asked = verses_in(question, corpus, answer)
    answer.findings += _topic_findings(topics, corpus)
    for verse in asked:
        answer.findings += [_mention(verse, corpus), *_verse_and_note(verse, corpus)]
    for verse in topics[0].verses if len(topics) == 1 else ():
        if verse in corpus.verses and verse not in asked:
            answer.findings += _verse_and_note(verse, corpus)
    return close_answer(answer)


def _topic_findings(topics: tuple[Topic, ...], corpus: Library) -> list[Finding]:
    source = "topic_index" if len(topics) == 1 else "topic_index_candidate"
    return [
        Finding(
            summary=topic.statement,
            citation=topic_citation(topic, corpus, "topic_subject"),
            excerpt=" ".join(point.text for point in topic.points),
            metadata={"source": source},
        )
        for topic in topics
    ]


def _mention(verse: Verse, corpus: Library) -> Finding:
    summary = corpus.phrases["mentioned"].format(title=corpus.title(verse))
    finding = verse_finding(verse, corpus, summary, source="question_refs")
    finding.excerpt = ""
    return finding


def _verse_and_note(verse: Verse, corpus: Library) -> list[Finding]:
    text = verse_finding(verse, corpus, source="verse_text")
    return [text, *note_findings(verse, corpus, source="study_note")]
