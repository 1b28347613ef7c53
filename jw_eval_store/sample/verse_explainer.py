"""Explains verses: their text, the study note on them, and the verses it refers to."""

from __future__ import annotations

from jw_eval_store.sample.finding import (
    close_answer,
    note_findings,
    open_answer,
    verse_finding,
    verses_in,
)
from jw_eval_store.sample.library import Library, Verse
from jw_eval_store.sample.results import AgentResult, Finding


async def verse_explainer(text: str, *, language: str = "en") -> AgentResult:
    """Findings with `metadata.kind`: target_verse, study_note, cross_ref, verse by verse.

    `text` is any text with Bible references; `language` an ISO code or a JW code.
    """
    answer, corpus = open_answer("verse_explainer", text, language)
    if corpus is None:
        return answer
    for verse in verses_in(text, corpus, answer):
        answer.findings.append(verse_finding(verse, corpus, kind="target_verse"))
        answer.findings += note_findings(verse, corpus, kind="study_note")
        answer.findings += _cross_references(verse, corpus)
    return close_answer(answer)


def _cross_references(verse: Verse, corpus: Library) -> list[Finding]:
    """The verses that the note refers to, as far as the corpus holds them."""
    note = corpus.notes.get(verse)
    see_also = corpus.phrases["see_also"]
    return [
        verse_finding(other, corpus, see_also.format(title=corpus.title(other)), kind="cross_ref")
        for other in (note.cross_references if note else ())
        if other in corpus.verses
    ]
