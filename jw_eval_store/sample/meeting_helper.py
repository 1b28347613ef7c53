"""Suggests comments for a meeting, from a text to be considered: a reference or a topic."""

from __future__ import annotations

from jw_eval_store.sample.finding import (
    close_answer,
    open_answer,
    topic_citation,
    topics_in,
    verse_finding,
    verses_in,
)
from jw_eval_store.sample.library import Library, Topic, Verse
from jw_eval_store.sample.results import AgentResult, Finding

_KIND = "suggest_comment"


async def meeting_helper(input_text: str, *, language: str = "en") -> AgentResult:
    """One finding a comment, `metadata.kind` suggest_comment: verses first, then topics.

    `language` is an ISO code or a JW code.
    """
    answer, corpus = open_answer("meeting_helper", input_text, language)
    if corpus is None:
        return answer
    for verse in verses_in(input_text, corpus, answer):
        answer.findings.append(_on_verse(verse, corpus))
    for topic in topics_in(input_text, corpus):
        answer.findings += _on_topic(topic, corpus)
    return close_answer(answer)


def _on_verse(verse: Verse, corpus: Library) -> Finding:
    """A comment from the study note, else from a topic's point on the verse, else to read it."""
    title = corpus.title(verse)
    note = corpus.notes.get(verse)
    points = (p.text for topic in corpus.topics for p in topic.points if verse in p.verses)
    text = note.text if note else next(points, "")
    phrase = corpus.phrases["comment" if text else "read"]
    return verse_finding(verse, corpus, phrase.format(title=title, text=text), kind=_KIND)


def _on_topic(topic: Topic, corpus: Library) -> list[Finding]:
    """A comment per point, with the text of the first verse that it rests on."""
    return [
        Finding(
            summary=corpus.phrases["comment"].format(title=topic.title, text=point.text),
            citation=topic_citation(topic, corpus, "topic_subheading"),
            excerpt=next((corpus.verses[v] for v in point.verses if v in corpus.verses), ""),
            metadata={"kind": _KIND},
        )
        for point in topic.points
    ]
