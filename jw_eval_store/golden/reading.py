"""A golden case from a YAML file, as the specification writes it, strictly.

L2 and L3 keys may stand at the top level or under `expected`; the folder l1, l2 or l3 gives the
layer where the file doesn't. Whatever is unknown, ambiguous or lost on the way is refused, and so
is a case that no answer could fail.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from pydantic import ValidationError

from jw_eval_store.domain.cases import (
    LAYERS,
    CitationCase,
    Layer,
    SemanticCase,
    StructuralCase,
)
from jw_eval_store.domain.expectations import expectation_fields
from jw_eval_store.domain.reports import InvalidFile
from jw_eval_store.golden.effect import Ineffective, ineffective, uncounted
from jw_eval_store.golden.nodes import parse
from jw_eval_store.golden.plain import FREE_KEYS, Document, Path, dotted, read_values
from jw_eval_store.golden.problems import Refused, nearest, shown
from jw_eval_store.golden.syntax import decode
from jw_eval_store.golden.validation import refusals

Case = StructuralCase | CitationCase | SemanticCase

CASE_CLASSES: dict[str, type[Case]] = {"l1": StructuralCase, "l2": CitationCase, "l3": SemanticCase}


@dataclass(frozen=True)
class ReadCase:
    """A case as read: where from, its bytes, and the line of each key by its dotted name.

    Names are those of the domain: `expected.support_phrases` also where the file has the key at
    the top level. List items count too, as `expected.support_phrases.0`.
    """

    case: Case
    source: bytes
    path: str = ""
    lines: dict[str, int] = field(default_factory=dict)

    def line(self, key: str) -> int | None:
        """Line of a key, or of the nearest one around it; none where lines are not known."""
        while key and key not in self.lines:
            key = key.rpartition(".")[0]
        return self.lines.get(key)


def folder_layer(path: PurePath) -> Layer | None:
    """The layer that a file's own folder names, if it is called l1, l2 or l3."""
    return next((layer for layer in LAYERS if layer == path.parent.name), None)


def read_case(path: str, source: bytes, layer: Layer | None = None) -> ReadCase | list[InvalidFile]:
    """The case in `source`, or all that is wrong with it. `layer` is the folder's."""
    try:
        document = read_values(parse(decode(source)), FREE_KEYS)
        arranged = _arrange(document, _layer(document, layer))
        return _validated(path, source, arranged)
    except Refused as refused:
        return [refused.at(path)]


def _validated(path: str, source: bytes, document: Document) -> ReadCase | list[InvalidFile]:
    model = CASE_CLASSES[document.values["layer"]]
    try:
        case = model.model_validate(document.values)
    except ValidationError as error:
        return [refused.at(path) for refused in refusals(error, model, document)]
    lines = {dotted(at): line for at, line in document.lines.items()}
    read = ReadCase(case, source, path, lines)
    return [
        InvalidFile(
            path=path, line=read.line(problem.key), message=_said(problem), hint=problem.hint
        )
        for problem in (*ineffective(case), *uncounted(case))
    ] or read


def _said(problem: Ineffective) -> str:
    return f"`{problem.key}`: {problem.message}"


def _layer(document: Document, folder: Layer | None) -> Layer:
    """The layer that file and folder agree on."""
    written = document.values.get("layer")
    line = document.line(("layer",))
    if written is None and folder is None:
        hint = "put the file into a folder l1, l2 or l3, or write `layer: l1`"
        raise Refused("names no layer", None, hint)
    meant = folder if written is None else written
    stated = next((layer for layer in LAYERS if layer == meant), None)
    if stated is None:
        near = nearest(str(written), LAYERS) or "l1, l2 or l3"
        raise Refused(f"`layer` {shown(written)} is unknown", line, f"write {near}")
    if folder is not None and stated != folder:
        hint = "move the file, or mend the key"
        raise Refused(f"`layer` is {stated}, but the folder says {folder}", line, hint)
    return stated


def _arrange(document: Document, layer: Layer) -> Document:
    """The document in the domain's shape: the layer named, its keys under `expected`."""
    values = document.values | {"layer": layer}
    top = [key for key in document.values if key in expectation_fields(layer)]
    if layer == "l1" or not top:
        return Document(values, document.lines)
    expected = values.setdefault("expected", {})
    if not isinstance(expected, dict):
        raise Refused("`expected` holds no keys", document.line(("expected",)))
    twice = next((key for key in top if key in expected), None)
    if twice:
        message = f"`{twice}` stands at the top level and under `expected`"
        raise Refused(message, document.line((twice,)), "keep one of them")
    values["expected"] = expected | {key: values.pop(key) for key in top}
    return Document(values, _moved(document.lines, frozenset(top)))


def _moved(lines: dict[Path, int], top: frozenset[Any]) -> dict[Path, int]:
    moved = {("expected", *at) if at and at[0] in top else at: lines[at] for at in lines}
    first = min(lines[(key,)] for key in top)
    return {("expected",): first} | moved
