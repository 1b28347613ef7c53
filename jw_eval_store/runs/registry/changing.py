"""Add, edit, archive and restore single cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from jw_eval_store.config import Config
from jw_eval_store.domain.cases import Layer
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.golden.editing import edit_source
from jw_eval_store.golden.reading import ReadCase, read_case
from jw_eval_store.runs.registry.files import remove_file
from jw_eval_store.runs.registry.opening import Registry, opened
from jw_eval_store.runs.registry.saving import (
    Saved,
    refuse_conflict,
    refuse_unfit_id,
    save,
    write_file,
)
from jw_eval_store.store import cases as store
from jw_eval_store.store.connect import transaction
from jw_eval_store.store.synced import forget_synced


def add_case(
    config: Config,
    source: bytes,
    *,
    name: str = "the new case",
    layer: Layer | None = None,
    author: str | None = None,
    reason: str | None = None,
) -> Saved:
    """Add a case from its YAML (see `golden.drafting` for single values).

    `name` stands for the source in messages, `layer` is that of its folder. Raises UsageError for
    YAML that is refused, an id that is taken or no name for a file, and a file that is in the way.
    """
    read = _read(name, source, layer)
    with opened(config) as registry:
        _refuse_as_new(registry, read.case.id)
        return save(registry, read, "add", author=author, reason=reason)


@contextmanager
def new_ids(config: Config) -> Iterator[Callable[[str], None]]:
    """What raises UsageError for an id that no new case may have, while there is no case yet."""
    with opened(config) as registry:
        yield partial(_refuse_as_new, registry)


def _refuse_as_new(registry: Registry, case_id: str) -> None:
    row = store.find_case(registry.conn, case_id)
    if row is not None:
        archived = f"jw-eval cases restore {row.case_id}" if row.archived else None
        hint = archived or f"jw-eval cases edit {row.case_id}, or choose another id"
        raise UsageError(f"case {row.case_id!r} exists already", hint=hint)
    refuse_unfit_id(registry, case_id)


def edit_case(
    config: Config,
    case_id: str,
    *,
    changes: Mapping[str, object] | None = None,
    source: bytes | None = None,
    based_on: bytes | None = None,
    author: str | None = None,
    reason: str | None = None,
) -> Saved:
    """Change a case: single keys by dotted name (see `golden.editing`), or its whole YAML.

    `based_on` is the YAML that an editor started from. Raises UsageError where the result is
    refused, the id or layer would change, the case is archived or bundled, or somebody else has
    changed it meanwhile.
    """
    with opened(config) as registry:
        row = registry.own_row(case_id)
        if row.archived:
            raise UsageError(
                f"case {case_id!r} is archived", hint=f"jw-eval cases restore {case_id}"
            )
        current = store.source_of(registry.conn, row.revision).encode()
        if based_on is not None and based_on != current:
            hint = f"see jw-eval cases diff {case_id}, then edit it again"
            raise UsageError(f"case {case_id!r} was changed by someone else meanwhile", hint=hint)
        wanted = edit_source(current, changes or {}) if source is None else source
        read = _read(f"case {case_id}", wanted, row.layer)
        if read.case.id != case_id:
            hint = "add the new one with jw-eval cases add, and archive the old one"
            raise UsageError(f"the id of case {case_id!r} cannot change", hint=hint)
        return save(registry, read, "edit", author=author, reason=reason)


def _read(name: str, source: bytes, layer: Layer | None) -> ReadCase:
    read = read_case(name, source, layer)
    if isinstance(read, ReadCase):
        return read
    said = [f"{p.path}:{p.line}: {p.message}" if p.line else f"{p.path} {p.message}" for p in read]
    raise UsageError("\n".join(said), hint=next((p.hint for p in read if p.hint), None))


def archive_case(
    config: Config, case_id: str, *, author: str | None = None, reason: str | None = None
) -> Saved:
    """Take a case out of all runs. Its file goes, since it would bring the case back; its YAML
    stays in the registry, from which `restore_case` writes the file again.
    """
    with opened(config) as registry:
        row = registry.own_row(case_id)
        if row.archived:
            return Saved(case_id, row.number, "unchanged", None)
        path = registry.path_of(row)
        with transaction(registry.conn) as conn:
            store.archive_case(conn, row, author=author, reason=reason)
            if path is not None:
                refuse_conflict(registry, path)
                remove_file(path, registry.known_hash(path))
                forget_synced(conn, [path.as_posix()])
        return Saved(case_id, row.number, "changed", path)


def restore_case(
    config: Config, case_id: str, *, author: str | None = None, reason: str | None = None
) -> Saved:
    """Bring an archived case back with its last content, and write its file again."""
    with opened(config) as registry:
        row = registry.own_row(case_id)
        if not row.archived:
            return Saved(case_id, row.number, "unchanged", registry.path_of(row))
        source = store.source_of(registry.conn, row.revision).encode()
        with transaction(registry.conn) as conn:
            store.restore_case(conn, row, author=author, reason=reason)
            path = write_file(registry, row, source)
        return Saved(case_id, row.number, "restored", path)


def current_source(config: Config, case_id: str) -> bytes:
    """A case's YAML as it is now, for an editor. Raises UsageError for a bundled case."""
    with opened(config) as registry:
        row = registry.own_row(case_id)
        return store.source_of(registry.conn, row.revision).encode()
