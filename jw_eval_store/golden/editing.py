"""Changing single keys of a case's file, leaving every other byte as its author wrote it.

Edits replace spans of the source instead of dumping the whole document again, since no YAML library
keeps all of an author's layout: comments, quotes, folding, blank lines and line ends.
"""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from typing import Any, Final

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.golden.nodes import parse
from jw_eval_store.golden.patches import Patches, fingerprint
from jw_eval_store.golden.plain import FREE_KEYS, read_values
from jw_eval_store.golden.problems import Refused
from jw_eval_store.golden.syntax import decode

REMOVED: Final = object()
"""The value of a key that is to go."""

_BOM = b"\xef\xbb\xbf"


def edit_source(source: bytes, changes: MappingOf[str, object]) -> bytes:
    """The file with these keys changed, by dotted name such as `expected.golden_answer`.

    Values are JSON values, or REMOVED. Names are the domain's: where the file keeps a key of
    `expected` at the top level, it stays there. Raises UsageError where the file cannot be read,
    or is laid out so that only a person can edit it.
    """
    try:
        return _edited(source, changes)
    except Refused as refused:
        raise UsageError(f"the case's YAML {refused.message}", hint=refused.hint) from None


def _edited(source: bytes, changes: MappingOf[str, object]) -> bytes:
    text = decode(source)
    root = parse(text)
    values = read_values(root, FREE_KEYS).values
    target = values
    for name, value in changes.items():
        target = _changed(target, _place(values, name.split(".")), value)
    patches = Patches(text)
    patches.mapping(root, values, target, None)
    edited = patches.applied()
    _verify(edited, target)
    return (_BOM if source.startswith(_BOM) else b"") + edited.encode("utf-8")


def _place(values: dict[str, Any], parts: list[str]) -> list[str]:
    """Where the file has a key: keys of `expected` may stand at the top level."""
    if parts[0] != "expected" or len(parts) == 1:
        return parts
    under = values.get("expected")
    if parts[1] in values or under is None:
        return parts[1:]
    return parts


def _changed(values: dict[str, Any], parts: list[str], value: object) -> dict[str, Any]:
    """A copy with one key set or removed; a part that becomes empty goes too."""
    name, below = parts[0], parts[1:]
    if below:
        inner = values.get(name, {})
        if not isinstance(inner, dict):
            raise UsageError(f"`{name}` holds no keys, so `{'.'.join(below)}` cannot be set in it")
        value = _changed(inner, below, value) or REMOVED
    if value is REMOVED:
        return {key: values[key] for key in values if key != name}
    return values | {name: value}


def _verify(edited: str, target: dict[str, Any]) -> None:
    """No edit is trusted: the new text must read as what was asked for."""
    try:
        read = _fingerprints(read_values(parse(edited), FREE_KEYS).values)
    except Refused:
        read = None
    if read != _fingerprints(target):
        hint = "edit the file itself, or use --editor"
        raise UsageError(
            "the case's YAML is laid out in a way that cannot be edited here", hint=hint
        )


def _fingerprints(values: dict[str, Any]) -> dict[str, str]:
    return {key: fingerprint(values[key], key in FREE_KEYS) for key in values}
