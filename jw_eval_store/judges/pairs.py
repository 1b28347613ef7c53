"""Labelled pairs, from which thresholds are found: a golden answer, a candidate, a verdict."""

from __future__ import annotations

import csv
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
        for line, written in enumerate(content.splitlines(), start=1):
            if written.strip():
                yield line, _object(written, f"{path}, line {line}")
    elif path.suffix in (".csv", ".tsv"):
        delimiter = "\t" if path.suffix == ".tsv" else ","
        reader = csv.DictReader(content.splitlines(keepends=True), delimiter=delimiter)
        yield from ((reader.line_num, row) for row in reader)
    else:
        raise UsageError(f"{path}: unknown kind of file", hint="use .jsonl, .csv or .tsv")


def _object(written: str, where: str) -> Mapping[str, Any]:
    try:
        row = json.loads(written)
    except ValueError as error:
        raise UsageError(f"{where}: no JSON: {error}") from error
    if not isinstance(row, dict):
        raise UsageError(f"{where}: not a JSON object")
    return row


def _pair(row: Mapping[str, Any], where: str) -> LabelledPair:
    values = {name: row.get(name) for name in _REQUIRED}
    bad = [name for name, value in values.items() if not str(value or "").strip()]
    if bad:
        raise UsageError(f"{where}: {bad[0]} is missing", hint=f"every pair has {_REQUIRED}")
    label = str(values["label"]).strip().casefold()
    if label not in TRUE_LABELS | FALSE_LABELS:
        known = ", ".join(sorted(TRUE_LABELS | FALSE_LABELS))
        raise UsageError(f"{where}: unknown label {label!r}", hint=f"known labels: {known}")
    return LabelledPair(
        reference=str(values["reference"]),
        text=str(values["text"]),
        label=label,
        language=bcp47(str(row.get("language") or row.get("lang") or "")),
        group=str(row.get("set") or ""),
        licence=str(row.get("licence") or ""),
        kind=str(row.get("kind") or row.get("set") or DEFAULT_KIND).strip(),
    )
