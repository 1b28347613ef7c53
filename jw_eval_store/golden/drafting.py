"""Cases from single values, as people type them: `input.language=es`, `expected.min_findings=2`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, get_args

from pydantic import ValidationError

from jw_eval_store.domain.cases import LAYERS
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.golden.editing import REMOVED
from jw_eval_store.golden.nodes import parse
from jw_eval_store.golden.plain import FREE_KEYS, Document, read_values, typed_plain
from jw_eval_store.golden.problems import Refused
from jw_eval_store.golden.reading import CASE_CLASSES, Case
from jw_eval_store.golden.validation import refusal_below, refusals

_GIVEN_BY = {
    "id": "--id ID",
    "agent": "--agent NAME",
    "input": "--input KEY=VALUE",
    "expected": "--expect KEY=VALUE",
}
"""The key of a case -> the option of `cases add` that gives it."""

_EXAMPLES = {
    "": "such as input.language=es",
    "input": "such as language=es",
    "expected": "such as min_findings=2",
}


def assigned(assignments: Iterable[str], *, under: str = "") -> dict[str, object]:
    """Dotted keys with their values, from texts `key=value`; `under` is what keys are put below.

    A key that comes again makes a list; `[a, b]` and `{a: b}` are read as YAML; an empty value is
    REMOVED. Numbers, true, false and null are typed under `input` and `metadata`, and where the
    key wants one (`expected.min_findings`). Raises UsageError for what is not of that form.
    """
    found: dict[str, list[object]] = {}
    for text in assignments:
        key, equals, value = text.partition("=")
        if not equals or not all(part.strip() for part in key.split(".")):
            raise UsageError(f"'{text}' is not key=value", hint=_EXAMPLES[under])
        whole = f"{under}.{key.strip()}" if under else key.strip()
        found.setdefault(whole, []).append(_value(whole, value, shown=key.strip()))
    return {key: values[0] if len(values) == 1 else values for key, values in found.items()}


def _value(key: str, text: str, *, shown: str) -> object:
    if not text:
        return REMOVED
    free = key.partition(".")[0] in FREE_KEYS or key in _typed_keys()
    try:
        if text[0] in "[{":
            return read_values(parse(f"k: {text}"), ("k",) if free else ()).values["k"]
        typed = typed_plain(text) if free else text
        return typed if type(typed) in _typed_keys().get(key, {type(typed)}) else text
    except (Refused, ValueError) as error:
        raise UsageError(f"{shown}: {error}", hint="put the value in quotes") from None


@cache
def _typed_keys() -> dict[str, set[type]]:
    """The dotted keys of numbers and switches, and as what: a file has them without quotes."""
    return {
        f"{part}.{name}": kinds | ({int} if float in kinds else set())
        for model in CASE_CLASSES.values()
        for part, field in model.model_fields.items()
        for name, inner in getattr(field.annotation, "model_fields", {}).items()
        if (kinds := {int, float, bool} & {inner.annotation, *get_args(inner.annotation)})
    }


def draft(values: Mapping[str, object]) -> Case:
    """A case from dotted keys and their values. Raises UsageError that names every mistake."""
    nested: dict[str, Any] = {}
    for key, value in values.items():
        if value is not REMOVED:
            _put(nested, key.split("."), value)
    model = CASE_CLASSES.get(str(nested.get("layer")))
    if model is None:
        raise UsageError("the case names no layer", hint=f"one of {', '.join(LAYERS)}")
    try:
        return model.model_validate(nested)
    except ValidationError as error:
        found = refusals(error, model, Document(nested, {}))
        hint = next((refused.hint for refused in found if refused.hint), None) or _options(nested)
        raise UsageError("; ".join(refused.message for refused in found), hint=hint) from None


def check_value(layer: str, key: str, value: object) -> None:
    """Raises UsageError where a case of this layer can't have this value at this dotted key."""
    nested: dict[str, Any] = {}
    _put(nested, key.split("."), value)
    try:
        CASE_CLASSES[layer].model_validate(nested)
    except ValidationError as error:
        if refused := refusal_below(error, tuple(key.split("."))):
            raise UsageError(refused.message, hint=refused.hint) from None


def _options(given: Mapping[str, object]) -> str | None:
    """The options of `cases add` that give what is missing."""
    missing = [option for key, option in _GIVEN_BY.items() if key not in given]
    return f"add {' '.join(missing)}" if missing else None


def _put(values: dict[str, Any], parts: list[str], value: object) -> None:
    inner = values
    for part in parts[:-1]:
        inner = inner.setdefault(part, {})
        if not isinstance(inner, dict):
            raise UsageError(f"'{'.'.join(parts)}' and '{part}' cannot both be set")
    inner[parts[-1]] = value
