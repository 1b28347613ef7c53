"""docs/schema.md, written from the tables and views themselves.

Run as `python -m jw_eval_store.store.docs`; a test compares the file with what it would write.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from sqlalchemy import Column, Table, UniqueConstraint

from jw_eval_store.store.revision import APPLICATION_ID, NEWEST
from jw_eval_store.store.schema import agents, cases, evidence, judging, metadata, results
from jw_eval_store.store.views import View, view_docs

TARGET = Path(__file__).parents[2] / "docs" / "schema.md"
THEMES = (cases, evidence, agents, results, judging)

_INTRODUCTION = f"""\
# The database

Written by `python -m jw_eval_store.store.docs`; don't edit it by hand.

Everything jw-eval knows is in one SQLite file, open to plain SQL: `jw-eval sql "select ..."`, or
any tool that reads SQLite. **Rely on the views**; tables may change with the next revision.
This page describes revision `{NEWEST}` (in the table `alembic_version`); the header of our files
carries the application id `0x{APPLICATION_ID:08X}`.

- Rows carry integer keys (`id`) that never leave the file, and natural keys outside of it: a run's
  ULID, a case's id, content addresses (`sha256:<hex>`).
- Cases, evidence, outputs and evaluations are appended, each content once, and never changed.
- Times are text: ISO 8601, UTC, milliseconds, `Z`; they sort as they read.
- SQLite's `lower` and `LIKE` know ASCII only. In `jw-eval sql`, `normal(text)` leaves out case and
  `plain(text)` accents too.
- A run lists its results in `run_result`, millions of rows in the end. Filter `v_result` by run or
  by case.
- Copy the file with `jw-eval db backup`, never by hand: what was written last may still be in the
  journal beside it. The file does not belong on a network drive.
"""


def document() -> str:
    """The whole page as Markdown."""
    parts = [_INTRODUCTION, "## Views\n", *map(_view, view_docs())]
    parts += ["## Tables\n", _diagram()]
    parts += [part for theme in THEMES for part in _theme(theme)]
    return "\n".join(parts)


def _view(view: View) -> str:
    rows = [f"| `{name}` | {_cell(meaning)} |" for name, meaning in view.columns.items()]
    head = [f"### {view.name}\n", f"{view.purpose} *{_sentence(view.grain)}*\n"]
    return "\n".join([*head, "| column | meaning |", "|---|---|", *rows, ""])


def _theme(theme: ModuleType) -> Iterator[str]:
    title = (theme.__doc__ or "").strip().splitlines()[0]
    yield f"### {title.removesuffix('.')}\n"
    for table in metadata.tables.values():
        if any(table is value for value in vars(theme).values()):
            yield _table(table)


def _table(table: Table) -> str:
    rows = [_row(column) for column in table.columns]
    head = [f"#### {table.name}\n", f"{table.comment}\n"]
    return "\n".join(
        [*head, "| column | type | meaning |", "|---|---|---|", *rows, *_extras(table)]
    )


def _row(column: Column[object]) -> str:
    kind = f"{column.type}{'' if column.nullable else ' not null'}".lower()
    meaning = column.comment or ""
    for key in column.foreign_keys:
        meaning += f" → `{key.target_fullname}`"
    return f"| `{column.name}` | {kind} | {_cell(meaning)} |"


def _extras(table: Table) -> Iterator[str]:
    keys = ", ".join(f"`{column.name}`" for column in table.primary_key)
    yield f"\nPrimary key: {keys}.{_listed(' Unique', _unique(table))}{_indexes(table)}\n"


def _unique(table: Table) -> list[str]:
    return sorted(
        ", ".join(f"`{column.name}`" for column in constraint.columns)
        for constraint in table.constraints
        if isinstance(constraint, UniqueConstraint)
    )


def _indexes(table: Table) -> str:
    columns = sorted(
        ", ".join(f"`{column.name}`" for column in index.columns) for index in table.indexes
    )
    return _listed(" Index", columns)


def _listed(word: str, items: list[str]) -> str:
    return f"{word}: {'; '.join(items)}." if items else ""


def _diagram() -> str:
    lines = [line for table in metadata.tables.values() for line in _entity(table)]
    return "\n".join(["```mermaid", "erDiagram", *lines, "```", ""])


def _entity(table: Table) -> Iterator[str]:
    """A table with its keys, and an edge for each reference."""
    unique = {name for names in _unique(table) for name in names.replace("`", "").split(", ")}
    yield f"    {table.name} {{"
    for column in table.columns:
        marks = [
            *(["PK"] if column.primary_key else []),
            *(["FK"] if column.foreign_keys else []),
            *(["UK"] if column.name in unique else []),
        ]
        if marks:
            yield f"        {str(column.type).lower()} {column.name} {', '.join(marks)}"
    yield "    }"
    for column in table.columns:
        for key in column.foreign_keys:
            one = "|o" if column.nullable else "||"
            yield f"    {key.column.table.name} {one}--o{{ {table.name} : {column.name}"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    TARGET.write_text(document(), encoding="utf-8")
