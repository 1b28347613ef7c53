"""Where a new case's YAML comes from: options, a file, stdin or the editor."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

import click

from jw_eval_store.domain.errors import UsageError

if TYPE_CHECKING:
    from jw_eval_store.config import Config
    from jw_eval_store.domain.cases import Layer

TEMPLATE = """\
id: {id}
agent: {agent}
layer: {layer}
input:
  language: es
expected:
# l1: min_findings, max_findings, sources_in_order, must_have_source, must_have_citation,
#     forbidden_keywords_in_findings, required_keywords_any, citation_hosts, max_warnings
# l2: expected_citations, support_phrases
# l3: golden_answer, expected_keywords_any, expected_keywords_none, counter_answers
metadata:
  topic:
"""


@dataclass(frozen=True)
class Source:
    """A case's YAML, what messages call it, and the layer that was named beside it."""

    source: bytes
    name: str
    layer: Layer | None


def assignments(
    agent: str | None,
    layer: str | None,
    case_id: str | None,
    inputs: Sequence[str],
    expected: Sequence[str],
    topic: str | None,
    tag: Sequence[str],
    others: Sequence[str],
) -> dict[str, object]:
    """The options of `cases add` as dotted keys with their values. Raises UsageError."""
    from jw_eval_store.golden.drafting import assigned
    from jw_eval_store.runs.filters import one_layer

    named = {"id": case_id, "agent": agent, "layer": one_layer(layer), "metadata.topic": topic}
    found: dict[str, object] = {key: value for key, value in named.items() if value}
    if tag:
        found["metadata.tags"] = list(tag)
    typed = assigned(inputs, under="input") | assigned(expected, under="expected")
    return found | typed | assigned(others)


def wants_prompts(given: dict[str, object], file: Path | None, editor: bool) -> bool:
    """Whether to ask: on a terminal, where neither YAML nor all that a case needs is given."""
    complete = {"id", "agent", "layer"} <= given.keys()
    parts = {key.split(".")[0] for key in given}
    enough = complete and {"input", "expected"} <= parts
    return not file and not editor and not enough and sys.stdin.isatty() and sys.stderr.isatty()


def case_source(given: dict[str, object], file: Path | None, editor: bool) -> Source:
    """The case's YAML. Without options, file or editor it is read from stdin."""
    layer = given.get("layer")
    if editor:
        return Source(_from_editor(given), "the new case", None)
    if file is None and given.keys() - {"layer"}:
        return _drafted(given)
    beside = given.keys() - {"layer"}
    if beside:
        raise UsageError(
            f"--file holds the whole case, so {', '.join(sorted(beside))} can't be given beside it",
            hint="put it into the file, or leave --file out",
        )
    return _from_file(file, layer)  # type: ignore[arg-type]  # `one_layer` made it


def _from_file(file: Path | None, layer: Layer | None) -> Source:
    from jw_eval_store.golden.reading import folder_layer

    if file is None or str(file) == "-":
        source = sys.stdin.buffer.read()
        if not source.strip():
            raise UsageError("no case was given", hint="jw-eval cases add --help")
        return Source(source, "stdin", layer)
    try:
        return Source(file.read_bytes(), str(file), layer or folder_layer(file.absolute()))
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from error


def _drafted(given: dict[str, object]) -> Source:
    """The YAML of single values; it names its layer, as it may be written to no folder."""
    from jw_eval_store.golden.drafting import draft
    from jw_eval_store.golden.writing import write_case

    case = draft(given)
    return Source(write_case(case), case.id, case.layer)


def _from_editor(given: dict[str, object]) -> bytes:
    names = {key: given.get(key, "") for key in ("id", "agent", "layer")}
    return edited(TEMPLATE.format(**names))


def edited(text: str) -> bytes:
    """The text as it left the editor. Raises UsageError where it was left as it was, or spoilt."""
    try:
        changed = click.edit(text, extension=".yaml")
    except ValueError as error:  # no UTF-8 came back, or $EDITOR has an open quote
        raise UsageError(f"the editor's text cannot be read: {error}", hint="see $EDITOR") from None
    if changed is None or changed == text:
        raise UsageError("nothing was changed in the editor, so nothing was saved")
    return changed.encode("utf-8")


def changed_source(
    config: Config, case: str, changes: dict[str, object], file: Path | None, editor: bool
) -> tuple[bytes | None, bytes | None]:
    """A case's new YAML from a file or the editor, and for the editor what it started from.

    None where single keys are changed. Raises UsageError where nothing is to be changed.
    """
    from jw_eval_store.runs.registry.changing import current_source

    if not (changes or file or editor):
        raise UsageError("nothing is to be changed", hint="use --set, --file or --editor")
    if file is not None:
        return _from_file(file, None).source, None
    if not editor:
        return None, None
    before = current_source(config, case)
    return edited(before.decode("utf-8")), before


@contextmanager
def kept_if_refused(source: bytes | None, by_hand: bool) -> Iterator[None]:
    """What was written in the editor, or in answers, is kept in a file when it is refused."""
    try:
        yield
    except UsageError as error:
        if not by_hand or source is None:
            raise
        with NamedTemporaryFile(suffix=".yaml", prefix="jw-eval-", delete=False) as file:
            file.write(source)
        hint = f"{error.hint or 'mend it'} (your text is kept, for --file {file.name})"
        raise UsageError(error.message, hint=hint) from error
