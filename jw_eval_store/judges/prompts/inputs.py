"""What a question may show the judge of a case, each text under its name and in its frame."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from jw_eval_store.judges.judgement import Judgement
from jw_eval_store.judges.prompts.framing import framed, harmless

INPUTS: Mapping[str, Mapping[str, str]] = {
    "question": {"en": "Question asked", "es": "Pregunta hecha"},
    "golden": {"en": "Golden answer", "es": "Respuesta dorada"},
    "candidate": {"en": "Candidate answer", "es": "Respuesta candidata"},
    "keywords_any": {
        "en": "Required keywords (at least one, in any form)",
        "es": "Palabras clave requeridas (al menos una, en cualquier forma)",
    },
    "keywords_none": {"en": "Forbidden keywords", "es": "Palabras clave prohibidas"},
}
"""Names of what every case has, as people and models read them."""


def input_text(name: str, judgement: Judgement) -> str:
    """The text of an input of `INPUTS`; keywords as a JSON list."""
    texts = {
        "question": judgement.question,
        "golden": judgement.golden_answer,
        "candidate": judgement.candidate,
        "keywords_any": keyword_list(judgement.keywords_any),
        "keywords_none": keyword_list(judgement.keywords_none),
    }
    return texts[name]


def shown(
    names: Iterable[str], judgement: Judgement, results: Mapping[str, str], language: str
) -> str:
    """The inputs with these names, one after another; a question that was not asked is left out.

    `results` are those of earlier tasks. Raises KeyError for a name that is neither.
    """
    blocks = []
    for name in names:
        text = results[name] if name in results else input_text(name, judgement)
        if name != "question" or text.strip():
            blocks.append(f"{input_label(name, language)}:\n{framed(name.upper(), text)}")
    return "\n\n".join(blocks)


def input_label(name: str, language: str) -> str:
    """How people and models read an input's name; a task's result has its own."""
    return INPUTS[name][language] if name in INPUTS else name.replace("_", " ")


def keyword_list(keywords: Iterable[str]) -> str:
    """Keywords on one line, each in quotes, so that they can't run into the prompt."""
    plain = [" ".join(harmless(keyword).split()) for keyword in keywords]
    return json.dumps(plain, ensure_ascii=False)
