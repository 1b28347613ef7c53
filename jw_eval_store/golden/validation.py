"""Pydantic's errors as refusals: at their line, in plain words, with the nearest known key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from jw_eval_store.golden.plain import Document, Path, dotted
from jw_eval_store.golden.problems import Refused, nearest, shown, visible

_WORDS = {
    "int_parsing": "is not a whole number",
    "int_from_float": "is not a whole number",
    "float_parsing": "is not a number",
    "bool_parsing": "is neither true nor false",
    "too_short": "is empty",
    "string_type": "is not a text",
    "tuple_type": "is not a list",
    "dict_type": "holds no keys",
    "model_type": "holds no keys",
    "model_attributes_type": "holds no keys",
    "string_pattern_mismatch": "is not of the right form",
}
_HINTS = {
    "string_type": "quote texts that hold ': ' or start with [ or {",
    "float_parsing": "write decimals with a point",
}
_BLANK = r"\S"


def refusals(error: ValidationError, model: type[BaseModel], document: Document) -> list[Refused]:
    """One refusal per error, by line; a list whose items are refused is not called empty, too."""
    errors = error.errors(include_url=False)
    around = {details["loc"][:depth] for details in errors for depth in range(len(details["loc"]))}
    told = [d for d in errors if d["type"] != "too_short" or d["loc"] not in around]
    found = [_refusal(details, model, document) for details in told]
    return sorted(found, key=lambda refused: refused.line or 0)


def refusal_below(error: ValidationError, path: Path) -> Refused | None:
    """The first refusal of one key or of a part of it, without the key's name."""
    for details in error.errors(include_url=False):
        if details["loc"][: len(path)] == path:
            return Refused(_cause(details), None, _hint(details))
    return None


def _refusal(details: ErrorDetails, model: type[BaseModel], document: Document) -> Refused:
    path: Path = details["loc"]
    line, name = document.line(path), visible(dotted(path))
    if details["type"] == "extra_forbidden":
        return Refused(f"unknown key `{name}`", line, _hint_for_key(model, path))
    if details["type"] == "missing":
        return Refused(f"key `{name}` is missing", line, None)
    subject = f"`{name}` " if path else ""
    return Refused(f"{subject}{_cause(details)}", line, _hint(details))


def _cause(details: ErrorDetails) -> str:
    kind, context = details["type"], details.get("ctx", {})
    if kind == "string_pattern_mismatch" and context.get("pattern") == _BLANK:
        return "is blank"
    if kind == "value_error":
        return str(context.get("error", details["msg"]))
    if kind in _WORDS:
        return f"{shown(details['input'])} {_WORDS[kind]}"
    message = details["msg"].removeprefix("Input ")
    return f"{shown(details['input'])} {message[:1].lower()}{message[1:]}"


def _hint(details: ErrorDetails) -> str | None:
    kind, context = details["type"], details.get("ctx", {})
    if kind == "literal_error":
        return _did_you_mean(str(details["input"]), _quoted(str(context["expected"])))
    if kind == "string_pattern_mismatch" and context["pattern"] != _BLANK:
        return f"it must match {context['pattern']}"
    return _HINTS.get(kind)


def _quoted(words: str) -> list[str]:
    return words.replace(" or ", ", ").replace("'", "").split(", ")


def _did_you_mean(word: str, known: Iterable[str]) -> str | None:
    near = nearest(word, known)
    return f"did you mean `{near}`?" if near else None


def _hint_for_key(model: type[BaseModel], path: Path) -> str:
    word = str(path[-1])
    here = _model_at(model, path[:-1]).model_fields
    below = dict(_keys_below(model))
    if word in below:
        return f"it belongs under `{below[word]}`"
    if word in model.model_fields:
        return "it belongs at the top level"
    known = dict.fromkeys(here) if path[1:] else dict.fromkeys([*here, *below])
    return _did_you_mean(word, known) or f"known keys: {', '.join(sorted(here))}"


def _keys_below(model: type[BaseModel]) -> Iterator[tuple[str, str]]:
    """The keys of the parts of a file, each with the part it belongs to."""
    for name, field in model.model_fields.items():
        part = _model_in(field.annotation)
        for key in part.model_fields if part else ():
            yield key, name


def _model_at(model: type[BaseModel], path: Path) -> type[BaseModel]:
    for part in path:
        field = model.model_fields.get(str(part))
        model = (_model_in(field.annotation) if field else None) or model
    return model


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (_model_in(part) for part in get_args(annotation))
    return next((below for below in found if below), None)
