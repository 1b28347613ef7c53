"""What the four agents share: reading the question, and findings with their citations."""

from __future__ import annotations

from jw_eval_store.sample.addresses import document_url, verse_url
from jw_eval_store.sample.library import LANGUAGES, Library, Topic, Verse, library
from jw_eval_store.sample.results import AgentResult, Citation, Finding
from jw_eval_store.text.books import book_name
from jw_eval_store.text.phrases import find_keywords
from jw_eval_store.text.references import Reference, parse_references

_NAMED = 4
"""Weight of a topic's name; single words weigh 1, so that they decide only between topics."""

_LAST_VERSE = 176
"""No chapter has more verses (Psalm 119)."""


def open_answer(agent: str, query: str, language: str) -> tuple[AgentResult, Library | None]:
    """An empty answer and the corpus of the language; without one the answer says so."""
    answer = AgentResult(query, agent)
    corpus = library(language)
    if corpus is None:
        known = ", ".join(LANGUAGES)
        answer.warnings.append(f"the sample corpus has no language {language!r} (it has {known})")
    return answer, corpus


def close_answer(answer: AgentResult) -> AgentResult:
    """The answer; one without findings says what was not found."""
    if not answer.findings and not answer.warnings:
        answer.warnings.append(f"nothing in the sample corpus answers {answer.query!r}")
    return answer


def verses_in(query: str, corpus: Library, answer: AgentResult) -> tuple[Verse, ...]:
    """The verses that a text refers to and the corpus holds, in the order written, each once.

    A reference of which the corpus holds nothing becomes a warning.
    """
    found: dict[Verse, None] = {}
    for reference in parse_references(query, corpus.language):
        held = [verse for verse in corpus.verses if _is_within(verse, reference)]
        if not held:
            named = f"{book_name(reference.book, corpus.language)} {reference.key.split(':', 1)[1]}"
            answer.warnings.append(f"{named} is not in the sample's {corpus.translation}")
        found.update(dict.fromkeys(held))
    return tuple(found)


def _is_within(verse: Verse, reference: Reference) -> bool:
    """Whether a reference, to a verse, a range or whole chapters, includes the verse."""
    first = (reference.book, reference.chapter, reference.verse_from or 0)
    last_chapter = reference.chapter_to or reference.chapter
    last = (reference.book, last_chapter, reference.verse_to or _LAST_VERSE)
    return first <= verse <= last


def topics_in(query: str, corpus: Library) -> tuple[Topic, ...]:
    """The topics that a text names, the best only; several where none is better than the others."""
    scores = {topic: _score(query, topic) for topic in corpus.topics}
    best = max(scores.values(), default=0)
    return tuple(topic for topic, score in scores.items() if score == best and score >= _NAMED)


def _score(query: str, topic: Topic) -> int:
    named = bool(find_keywords(query, topic.names))
    return _NAMED * named + len(find_keywords(query, topic.words))


def verse_finding(verse: Verse, corpus: Library, summary: str = "", **metadata: str) -> Finding:
    """The text of a verse as a finding."""
    title = corpus.title(verse)
    return Finding(
        summary=summary or f"{title}, {corpus.translation}",
        citation=Citation(verse_url(corpus.language, verse), title, "verse"),
        excerpt=corpus.verses[verse],
        metadata=dict(metadata),
    )


def note_findings(verse: Verse, corpus: Library, **metadata: str) -> list[Finding]:
    """The study note on a verse as a list of one finding, empty where there is none."""
    note = corpus.notes.get(verse)
    if note is None:
        return []
    title = corpus.phrases["note"].format(title=corpus.title(verse))
    citation = Citation(verse_url(corpus.language, verse), title, "study_note")
    return [Finding(title, citation, note.text, dict(metadata))]


def topic_citation(topic: Topic, corpus: Library, kind: str) -> Citation:
    """The topic's page as a citation."""
    return Citation(document_url(corpus.language, topic.docid), topic.title, kind)
