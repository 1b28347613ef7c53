"""Gathers what the corpus holds on a topic: its entry, the entry's points, and the verses."""

from __future__ import annotations

from jw_eval_store.sample.finding import (
    close_answer,
    open_answer,
    topic_citation,
    topics_in,
    verse_finding,
    verses_in,
)
from jw_eval_store.sample.library import Library, Topic
from jw_eval_store.sample.results import AgentResult, Finding


async def research_topic(topic: str, *, language: str = "E") -> AgentResult:
    """Findings told apart by `citation.kind`: topic_subject, topic_subheading, verse.

    Like the toolkit's, they carry no metadata. Where the topic's name fits several entries alike,
    all of them are given. `language` is a JW code or an ISO code.
    """
    answer, corpus = open_answer("research_topic", topic, language)
    if corpus is None:
        return answer
    for entry in topics_in(topic, corpus):
        answer.findings += _entry(entry, corpus)
    for verse in verses_in(topic, corpus, answer):
        answer.findings.append(verse_finding(verse, corpus))
    return close_answer(answer)


def _entry(topic: Topic, corpus: Library) -> list[Finding]:
    subject = Finding(topic.statement, topic_citation(topic, corpus, "topic_subject"))
    points = [
        Finding(point.text, topic_citation(topic, corpus, "topic_subheading"))
        for point in topic.points
    ]
    held = [verse for verse in topic.verses if verse in corpus.verses]
    return [subject, *points, *(verse_finding(verse, corpus) for verse in held)]
