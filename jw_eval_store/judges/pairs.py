"""Labelled pairs, from which thresholds are found: a golden answer, a candidate, a verdict."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.inference import DEFAULT_KIND
from jw_eval_store.domain.languages import bcp47

TRUE_LABELS = frozenset(
    ["entailed", "entailment", "fully attributable", "same", "pass", "true", "yes", "1"]
)
CONTRADICTED_LABELS = frozenset(["contradicted", "contradiction"])
_OTHER_LABELS = "neutral|not fully attributable|generic|other topic|unrelated|fail|false|no|0"
FALSE_LABELS = CONTRADICTED_LABELS | frozenset(_OTHER_LABELS.split("|"))
_REQUIRED = ("reference", "text", "label")


@dataclass(frozen=True)
class LabelledPair:
    """A golden answer and a candidate with a human's label.

    `group` is the set it comes from, `kind` the kind of text that thresholds are found for.
    """

    reference: str
    text: str
    label: str
    language: str = "und"
    group: str = ""
    licence: str = ""
    kind: str = DEFAULT_KIND

    @property
    def is_true(self) -> bool:
        """Whether a right judge passes it."""
        return self.label in TRUE_LABELS

    @property
    def is_contradicted(self) -> bool:
        """Whether the candidate says the opposite."""
        return self.label in CONTRADICTED_LABELS


def read_pairs(path: Path) -> tuple[LabelledPair, ...]:
    """Pairs of a .jsonl, .csv or .tsv file with `reference, text, label` and `language`.

    `set`, `licence` and `kind` are kept where they stand; the kind is else the set. Raises
    UsageError that names the file and line.
    """
    pairs = tuple(_pair(row, f"{path}, line {line}") for line, row in _rows(path))
    if not pairs:
        raise UsageError(f"{path} holds no pairs", hint="give it reference, text, label, language")
    return pairs


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    try:
        content = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} can't be read: {error}", hint="give a UTF-8 file") from error
    if path.suffix == ".jsonl":
        for line, written in enumerate(content.split("\n"), start=1):
            if written.strip():
                yield line, _object(written, f"{path}, line {line}")
    elif path.suffix in (".csv", ".tsv"):
        yield from _table(content, "\t" if path.suffix == ".tsv" else ",", path)
    else:
        raise UsageError(f"{path}: unknown kind of file", hint="use .jsonl, .csv or .tsv")


def _table(content: str, delimiter: str, path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    reader = csv.DictReader(io.StringIO(content, newline=""), delimiter=delimiter)
    try:
        yield from ((reader.line_num, row) for row in reader)
    except csv.Error as error:
        where = f"{path}, after line {reader.line_num}"
        raise UsageError(f"{where}: {error}", hint="write such pairs as .jsonl") from error


def _object(written: str, where: str) -> Mapping[str, Any]:
    try:
        row = json.loads(written)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: no JSON: {error}") from error
    if not isinstance(row, dict):
        raise UsageError(f"{where}: not a JSON object")
    return row


def _pair(row: Mapping[str, Any], where: str) -> LabelledPair:
    label = _value(row, "label", where).casefold()
    reference, text = _value(row, "reference", where), _value(row, "text", where)
    bad = [name for name in _REQUIRED if not _value(row, name, where).strip()]
    if bad:
        raise UsageError(f"{where}: {bad[0]} is missing", hint=f"every pair has {_REQUIRED}")
    if label.strip() not in TRUE_LABELS | FALSE_LABELS:
        known = ", ".join(sorted(TRUE_LABELS | FALSE_LABELS))
        raise UsageError(f"{where}: unknown label {label!r}", hint=f"known labels: {known}")
    group = _value(row, "set", where).strip()
    return LabelledPair(
        reference=reference,
        text=text,
        label=label.strip(),
        language=bcp47(_value(row, "language", where) or _value(row, "lang", where)),
        group=group,
        licence=_value(row, "licence", where),
        kind=_value(row, "kind", where).strip() or group or DEFAULT_KIND,
    )


def _value(row: Mapping[str, Any], name: str, where: str) -> str:
    """A value as text, empty where there is none. Only a label may be a figure, or true or false.

    Raises UsageError for what is no text, and for one with half a character in it.
    """
    value = row.get(name)
    if name == "label" and isinstance(value, int):
        return str(value)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UsageError(
            f"{where}: {name} is no text: {str(value)[:40]}", hint="write it in quotes"
        )
    if any("\ud800" <= sign <= "\udfff" for sign in value):
        raise UsageError(
            f"{where}: {name} holds half a character (a lone surrogate)", hint="write it as UTF-8"
        )
    return value
