"""Every migration, up, down and up again on a populated file; the models equal the newest."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Collection
from contextlib import closing
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from jw_eval_store import resources
from jw_eval_store.store import connect, upgrade
from jw_eval_store.store.revision import NEWEST, REVISIONS
from jw_eval_store.store.schema import metadata

Fill = Callable[[Path], dict[str, int]]
FILLS_IN = {"0008"}
"""Migrations of rows alone."""
STEPS = list(zip((None, *REVISIONS), REVISIONS, strict=False))


def schema_of(path: Path) -> dict[str, str]:
    """SQL of every table and index by name."""
    with closing(connect.connect(path)) as connection:
        rows = connection.execute(
            "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND type <> 'view'"
        )
        return dict(rows.fetchall())


def parts_of(sql: str) -> list[str]:
    """A statement's parts in any order and spacing, so that models and migrations compare."""
    text = re.sub(r"\s+", " ", sql.replace('"', "")).strip()
    return sorted(part.strip(" ()") for part in re.split(r",(?![^(]*\))|(?<=\w) \(", text))


@pytest.fixture
def at_first(tmp_path: Path) -> Path:
    """A file before the first migration."""
    path = tmp_path / "stepped.db"
    connect.open_for_writing(path).close()
    upgrade.move(path, None)
    return path


def test_before_the_first_migration_there_is_no_table(at_first: Path) -> None:
    assert set(schema_of(at_first)) == {"alembic_version"}


def rows_of(path: Path, tables: Collection[str]) -> dict[str, int]:
    with closing(connect.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        return {
            table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in tables
        }


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("before", "revision"), STEPS)
def test_a_migration_goes_up_down_and_up_again_with_rows(
    at_first: Path, fill: Fill, before: str | None, revision: str
) -> None:
    upgrade.move(at_first, before)
    older = schema_of(at_first)
    kept = fill(at_first)
    upgrade.move(at_first, revision)
    newer = schema_of(at_first)
    assert (newer == older) == (revision in FILLS_IN)
    assert rows_of(at_first, kept) == kept
    assert set(fill(at_first).values()) == {3}

    upgrade.move(at_first, before)
    assert schema_of(at_first) == older
    assert rows_of(at_first, kept) == kept
    upgrade.move(at_first, revision)
    assert schema_of(at_first) == newer
    assert rows_of(at_first, kept) == kept


def test_topics_and_tags_that_were_not_counted_are_filled_in(at_first: Path, fill: Fill) -> None:
    upgrade.move(at_first, "0007")
    fill(at_first)
    metadata_of = (
        {"topic": 1914, "tags": "soul"},
        {"topic": 1.5, "tags": ["soul"]},
        {"topic": True},
    )
    with closing(connect.connect(at_first)) as connection:
        connection.execute("DELETE FROM revision_tag")
        for key, written in enumerate(metadata_of, 1):
            connection.execute(
                "UPDATE case_revision SET topic = NULL, definition = ? WHERE id = ?",
                (json.dumps({"metadata": written}), key),
            )
    upgrade.move(at_first, "0008")
    with closing(connect.connect(at_first)) as connection:
        topics = connection.execute("SELECT topic FROM case_revision ORDER BY id").fetchall()
        tags = connection.execute("SELECT revision_id, tag FROM revision_tag").fetchall()
    assert [topic for (topic,) in topics] == ["1914", None, None]
    assert [tuple(row) for row in tags] == [(1, "soul")]


def test_every_table_of_the_newest_revision_can_be_filled(db: Path, fill: Fill) -> None:
    assert fill(db) == dict.fromkeys(metadata.tables, 3)


def test_the_models_equal_the_newest_revision(db: Path) -> None:
    dialect = sqlite.dialect()
    expected = {
        table.name: str(CreateTable(table).compile(dialect=dialect))
        for table in metadata.tables.values()
    } | {
        str(index.name): str(CreateIndex(index).compile(dialect=dialect))
        for table in metadata.tables.values()
        for index in table.indexes
    }
    stored = schema_of(db)
    del stored["alembic_version"]
    assert set(stored) == set(expected)
    for name, sql in expected.items():
        assert parts_of(stored[name]) == parts_of(sql), name


def test_a_changed_column_would_be_noticed() -> None:
    one = "CREATE TABLE a (b TEXT NOT NULL, CONSTRAINT c CHECK (b IN ('x', 'y'))) STRICT"
    assert parts_of(one) == parts_of(one.replace(" (", "\n(").replace("STRICT", " STRICT"))
    for old, new in (("TEXT", "INTEGER"), (" NOT NULL", ""), ("'y'", "'z'"), ("STRICT", "")):
        assert parts_of(one) != parts_of(one.replace(old, new))


def test_the_package_lists_the_revisions_of_the_migrations() -> None:
    config = Config()
    config.set_main_option("script_location", str(resources.bundled("migrations")))
    scripts = ScriptDirectory.from_config(config)
    assert [script.revision for script in scripts.walk_revisions()][::-1] == list(REVISIONS)
    assert scripts.get_current_head() == NEWEST


def test_migrations_are_frozen_and_import_nothing_of_the_project() -> None:
    files = sorted((resources.bundled("migrations") / "versions").glob("*.py"))
    assert [file.name[:4] for file in files] == list(REVISIONS)
    for file in files:
        assert "jw_eval" not in file.read_text(encoding="utf-8")


def test_tables_are_strict(db: Path) -> None:
    with closing(sqlite3.connect(db)) as connection:
        rows = connection.execute("PRAGMA table_list").fetchall()
    strict = {name: bool(flag) for _, name, kind, _, _, flag in rows if kind == "table"}
    assert {name for name, flag in strict.items() if not flag} == {
        "alembic_version",
        "sqlite_schema",
        "sqlite_temp_schema",
    }
