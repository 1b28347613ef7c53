"""Ask for a new case on a terminal: a question for each value, with what is known offered.

Whatever a case would be refused for is said when it is typed, so that no answer is lost.
"""

from __future__ import annotations

import re
import unicodedata
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import click

from jw_eval_cli.questions import Check, optional, refusal, required, several, until_valid
from jw_eval_store.domain.errors import UsageError

if TYPE_CHECKING:
    from jw_eval_store.config import Config


class _Question(NamedTuple):
    """One key of `expected`: `many` answers to it, and whether a case `needs` it."""

    key: str
    text: str
    many: bool = False
    needs: bool = False


_QUESTIONS = {
    "l1": (
        _Question("min_findings", "At least how many findings"),
        _Question("must_have_source", "Source that at least one finding must have", many=True),
        _Question("must_have_citation", "Must every finding have a URL (true or empty)"),
        _Question("forbidden_keywords_in_findings", "Words that no finding may hold", many=True),
    ),
    "l2": (
        _Question("expected_citations", "URL that must be cited", many=True, needs=True),
        _Question("support_phrases", "Phrase that its page must hold", many=True, needs=True),
    ),
    "l3": (
        _Question("golden_answer", "The golden answer", needs=True),
        _Question(
            "expected_keywords_any",
            "Words of which one must be in the answer, in any form",
            many=True,
        ),
        _Question("expected_keywords_none", "Words that must not be in the answer", many=True),
        _Question("counter_answers", "A wrong answer that is known", many=True),
    ),
}
_ID_WORDS = 4
_ID_LENGTH = 24
"""Of what a case asks, so much stands in the id that is offered."""


def ask_for_case(given: dict[str, object], config: Config) -> dict[str, object]:
    """The values that were given and those that were asked for. An empty answer leaves one out."""
    from jw_eval_store.runs.registry.changing import new_ids

    with new_ids(config) as refuse_id:
        if given.get("id"):
            refuse_id(str(given["id"]))
        values = _asked_for(given, config)
        if not values.get("id"):
            check = partial(_checked_id, str(values["layer"]), refuse_id)
            values["id"] = required("Id", check, _free(offered_id(values), check))
    return values


def _asked_for(given: dict[str, object], config: Config) -> dict[str, object]:
    """All but the id, which is offered by what these say."""
    values = dict(given)
    agent = values.get("agent") or _agent(config)
    layer = str(values.get("layer") or _layer())
    values |= {"agent": agent, "layer": layer}
    if _parts(values, "input") <= {"language"}:
        values |= _inputs()
    values |= _expectations(layer, values)
    topic = values.get("metadata.topic") or optional("Topic, such as doctrine.soul")
    return {**values, "metadata.topic": topic} if topic else values


def _parts(values: dict[str, object], under: str) -> set[str]:
    """The keys that are given below one; the one itself, where it is given as a whole."""
    return {key.removeprefix(f"{under}.") for key in values if key.split(".")[0] == under}


def _agent(config: Config) -> str:
    from jw_eval_store.golden.drafting import check_value

    question = f"Agent ({_known_agents(config)})"
    return required(question, partial(check_value, "l1", "agent"))


def _known_agents(config: Config) -> str:
    from jw_eval_store.runs.agents import list_agents

    names = [agent.name for agent in list_agents(config, demonstration=False)]
    return ", ".join(names[:8]) or "none is configured yet"


def _layer() -> str:
    from jw_eval_store.runs.filters import one_layer

    question = "Layer (1 structure, 2 citations, 3 meaning)"
    return until_valid(lambda: str(one_layer(click.prompt(question, default="1", err=True))))


def _inputs() -> dict[str, object]:
    from jw_eval_store.golden.drafting import assigned

    question = "Input of the agent, KEY=VALUE (question=..., reference=..., language=es)"
    return assigned(several(question, _checked_input, at_least_one=True), under="input")


def _checked_input(line: str) -> None:
    from jw_eval_store.golden.drafting import assigned
    from jw_eval_store.golden.editing import REMOVED

    if REMOVED in assigned([line], under="input").values():
        raise UsageError(f"'{line}' has no value", hint="such as language=es")


def _expectations(layer: str, given: dict[str, object]) -> dict[str, object]:
    """What the answer must show. Where some of it was given, only what is needed is asked for."""
    from jw_eval_store.golden.drafting import check_value

    some = _parts(given, "expected")
    if "expected" in some:
        return {}
    found: dict[str, object] = {}
    for question in _QUESTIONS[layer]:
        if question.key in some or (some and not question.needs):
            continue
        key = f"expected.{question.key}"
        if answer := _expectation(question, partial(check_value, layer, key)):
            found[key] = answer
    if found or some:
        return found
    click.echo("a case that expects nothing can't fail: answer one of these at least", err=True)
    return _expectations(layer, given)


def _expectation(question: _Question, check: Check) -> object:
    if question.many:
        return several(question.text, check, at_least_one=question.needs)
    return (required if question.needs else optional)(question.text, check)


def _checked_id(layer: str, refuse_id: Check, answer: str) -> None:
    from jw_eval_store.golden.drafting import check_value

    check_value(layer, "id", answer)
    refuse_id(answer)


def offered_id(values: dict[str, object]) -> str:
    """The id that is offered: layer, agent, what it is about, and language."""
    topic = str(values.get("metadata.topic") or "").rpartition(".")[2]
    asked = (
        str(value)
        for key, value in values.items()
        if key.startswith("input.") and key != "input.language"
    )
    about = _slug(topic) or _slug(next(asked, ""))
    language = _slug(str(values.get("input.language") or ""))
    parts = (str(values["layer"]), str(values["agent"]), about, language)
    return "_".join(part for part in parts if part)


def _free(wanted: str, check: Check) -> str:
    """The id itself, or with the first number that makes it free."""
    numbered = (f"{wanted}_{number}" for number in range(2, 100))
    return next((one for one in (wanted, *numbered) if not refusal(check, one)), wanted)


def _slug(text: str) -> str:
    """The first words of a text in plain ASCII: `¿Muere el alma?` is muere_el_alma."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return "_".join(re.findall(r"[a-z0-9]+", plain)[:_ID_WORDS])[:_ID_LENGTH].rstrip("_")
