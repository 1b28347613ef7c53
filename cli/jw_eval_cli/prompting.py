"""Ask for a new case on a terminal: a question for each value, with what is known offered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import click

from jw_eval_store.domain.errors import UsageError

if TYPE_CHECKING:
    from jw_eval_store.config import Config

T = TypeVar("T")

_QUESTIONS = {
    "l1": (
        ("min_findings", "At least how many findings"),
        ("must_have_source", "Source that at least one finding must have"),
        ("must_have_citation", "Must every finding have a URL (true or empty)"),
        ("forbidden_keywords_in_findings", "Words that no finding may hold"),
    ),
    "l2": (
        ("expected_citations", "URL that must be cited"),
        ("support_phrases", "Phrase that its page must hold"),
    ),
    "l3": (
        ("golden_answer", "The golden answer"),
        ("expected_keywords_any", "Words of which one must be in the answer, in any form"),
        ("expected_keywords_none", "Words that must not be in the answer"),
    ),
}
_LISTS = {
    "must_have_source",
    "forbidden_keywords_in_findings",
    "expected_citations",
    "support_phrases",
    "expected_keywords_any",
    "expected_keywords_none",
}


def ask_for_case(given: dict[str, object], config: Config) -> dict[str, object]:
    """The values that were given and those that were asked for. An empty answer leaves one out."""
    values = dict(given)
    agent = values.get("agent") or _asked(f"Agent ({_known_agents(config)})")
    layer = values.get("layer") or _layer()
    values |= {"agent": agent, "layer": layer}
    values["id"] = values.get("id") or _asked(f"Id, such as {layer}_{agent}_soul_es")
    if not _has(values, "input"):
        values |= _inputs()
    if not _has(values, "expected"):
        values |= _expectations(str(layer))
    topic = values.get("metadata.topic") or _optional("Topic, such as doctrine.soul")
    return {**values, "metadata.topic": topic} if topic else values


def _has(values: dict[str, object], part: str) -> bool:
    return any(key.split(".")[0] == part for key in values)


def _asked(question: str) -> str:
    return str(click.prompt(question, err=True)).strip()


def _known_agents(config: Config) -> str:
    from jw_eval_store.runs.agents import list_agents

    names = [agent.name for agent in list_agents(config, demonstration=False)]
    return ", ".join(names[:8]) or "none is configured yet"


def _layer() -> str:
    from jw_eval_store.runs.filters import one_layer

    question = "Layer (1 structure, 2 citations, 3 meaning)"
    return _until_valid(lambda: str(one_layer(click.prompt(question, default="1", err=True))))


def _inputs() -> dict[str, object]:
    from jw_eval_store.golden.drafting import assigned

    question = "Input of the agent, KEY=VALUE (question=..., reference=..., language=es)"
    return _until_valid(lambda: assigned(f"input.{line}" for line in _several(question)))


def _expectations(layer: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, question in _QUESTIONS[layer]:
        answers = _several(question) if key in _LISTS else [_optional(question)]
        kept = [answer for answer in answers if answer]
        if kept:
            found[f"expected.{key}"] = kept if key in _LISTS else kept[0]
    return found


def _until_valid(ask: Callable[[], T]) -> T:
    """Ask again as long as the answer is refused, saying why."""
    while True:
        try:
            return ask()
        except UsageError as error:
            click.echo(str(error), err=True)


def _several(question: str) -> list[str]:
    """Answers until an empty one."""
    answers: list[str] = []
    while answer := _optional(f"{question}; empty to go on" if not answers else "another one"):
        answers.append(answer)
    return answers


def _optional(question: str) -> str:
    return str(click.prompt(question, default="", show_default=False, err=True)).strip()
