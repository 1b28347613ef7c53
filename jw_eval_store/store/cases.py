"""Golden cases in the store: content-addressed revisions, and an appended history of events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from jw_eval_store.domain.cases import (
    CitationCase,
    Layer,
    SemanticCase,
    StructuralCase,
    parse_case,
)
from jw_eval_store.domain.hashing import canonical_json, content_hash
from jw_eval_store.domain.selections import Selection
from jw_eval_store.store.connect import Connection, now
from jw_eval_store.store.evidence import page_key
from jw_eval_store.store.rows import tuples
from jw_eval_store.text.urls import parse_url

Case = StructuralCase | CitationCase | SemanticCase
EventKind = Literal["add", "edit", "import", "sync", "archive", "restore"]


class CaseRow(NamedTuple):
    """A case with its current revision, as selections see it. Keys are local to the file."""

    key: int
    case_id: str
    revision: int
    equivalent: int
    number: int
    agent: str
    layer: Layer
    language: str
    topic: str | None
    content_hash: str
    source_hash: str
    archived: int
    bundled: int


@dataclass(frozen=True)
class CaseEvent:
    """One line of a case's history."""

    kind: EventKind
    number: int
    author: str | None
    reason: str | None
    at: str
    source: str


CASE_COLUMNS = """
    g.id, g.case_id, r.id, r.equivalent_id, r.number, r.agent, r.layer, r.language, r.topic,
    r.content_hash, r.source_hash, g.archived_at IS NOT NULL, g.bundled
"""
_CURRENT = (
    f"SELECT {CASE_COLUMNS} FROM golden_case g JOIN case_revision r ON r.id = g.current_revision_id"
)


def find_case(conn: Connection, case_id: str) -> CaseRow | None:
    """The case of that id, archived or not."""
    row = conn.execute(f"{_CURRENT} WHERE g.case_id = ?", (case_id,)).fetchone()
    return CaseRow._make(row) if row else None


def select_cases(conn: Connection, selection: Selection, *, bundled: bool | None) -> list[CaseRow]:
    """The cases that a selection means, by id. `bundled` none: both kinds."""
    where, values = selection_sql(selection, bundled=bundled)
    sql = f"{_CURRENT} WHERE {where} ORDER BY g.case_id"
    return [CaseRow._make(row) for row in tuples(conn, sql, values)]


def selection_sql(selection: Selection, *, bundled: bool | None) -> tuple[str, list[object]]:
    """The condition on `golden_case g` and its current `case_revision r`, with its values."""
    where, values = _conditions(selection)
    if bundled is not None:
        where.append("g.bundled = ?")
        values.append(int(bundled))
    return " AND ".join(["g.archived_at IS NULL", *where]), values


def _conditions(selection: Selection) -> tuple[list[str], list[object]]:
    where: list[str] = []
    values: list[object] = []
    for column, wanted in (
        ("r.layer", selection.layers),
        ("r.agent", selection.agents),
        ("r.language", selection.languages),
        ("g.case_id", selection.case_ids),
        ("r.topic", selection.topics),
    ):
        if wanted:
            where.append(f"{column} IN ({_marks(wanted)})")
            values.extend(wanted)
    if selection.tags:
        tagged = "SELECT revision_id FROM revision_tag WHERE tag IN"
        where.append(f"r.id IN ({tagged} ({_marks(selection.tags)}))")
        values.extend(selection.tags)
    return where, values


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def load_cases(conn: Connection, revisions: Iterable[int]) -> dict[int, Case]:
    """Cases by revision key."""
    sql = "SELECT definition FROM case_revision WHERE id = ?"
    return {key: _parse(conn.execute(sql, (key,)).fetchone()[0]) for key in revisions}


def _parse(definition: str) -> Case:
    import json

    return parse_case(json.loads(definition))


def source_of(conn: Connection, revision: int) -> str:
    """A revision's YAML, byte for byte."""
    sql = "SELECT source FROM case_revision WHERE id = ?"
    return str(conn.execute(sql, (revision,)).fetchone()[0])


def put_case(
    conn: Connection,
    case: Case,
    source: str,
    kind: EventKind,
    *,
    author: str | None = None,
    reason: str | None = None,
    bundled: bool = False,
) -> CaseRow:
    """Make this content the case's current one; inside a transaction.

    The same content again changes nothing and writes no event. An archived case is restored.
    """
    key = _case_key(conn, case.id, bundled)
    revision = _revision_key(conn, key, case, source)
    current, archived, was_bundled = conn.execute(
        "SELECT current_revision_id, archived_at, bundled FROM golden_case WHERE id = ?", (key,)
    ).fetchone()
    if current != revision or archived is not None or bool(was_bundled) != bundled:
        conn.execute(
            "UPDATE golden_case SET current_revision_id = ?, archived_at = NULL, bundled = ?"
            " WHERE id = ?",
            (revision, int(bundled), key),
        )
        _event(conn, key, revision, kind, author, reason)
    found = find_case(conn, case.id)
    if found is None:
        raise LookupError(case.id)
    return found


def _case_key(conn: Connection, case_id: str, bundled: bool) -> int:
    row = conn.execute("SELECT id FROM golden_case WHERE case_id = ?", (case_id,)).fetchone()
    if row:
        return int(row[0])
    cursor = conn.execute(
        "INSERT INTO golden_case (case_id, bundled, created_at) VALUES (?, ?, ?)",
        (case_id, int(bundled), now()),
    )
    return int(cursor.lastrowid or 0)


def _revision_key(conn: Connection, key: int, case: Case, source: str) -> int:
    source_hash = content_hash(source)
    row = conn.execute(
        "SELECT id FROM case_revision WHERE golden_case_id = ? AND source_hash = ?",
        (key, source_hash),
    ).fetchone()
    return int(row[0]) if row else _insert_revision(conn, key, case, source, source_hash)


def _insert_revision(conn: Connection, key: int, case: Case, source: str, source_hash: str) -> int:
    number, equivalent = conn.execute(
        "SELECT coalesce(max(number), 0) + 1, min(iif(content_hash = ?, equivalent_id, NULL))"
        " FROM case_revision WHERE golden_case_id = ?",
        (case.content_hash, key),
    ).fetchone()
    cursor = conn.execute(
        "INSERT INTO case_revision (golden_case_id, number, source_hash, content_hash,"
        " equivalent_id, agent, layer, language, topic, definition, source, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (key, number, source_hash, case.content_hash, equivalent, case.agent, case.layer,
         case.language, case.topic, canonical_json(case.definition()), source, now()),
    )  # fmt: skip
    revision = int(cursor.lastrowid or 0)
    if equivalent is None:
        conn.execute("UPDATE case_revision SET equivalent_id = id WHERE id = ?", (revision,))
    _insert_parts(conn, revision, case)
    return revision


def _insert_parts(conn: Connection, revision: int, case: Case) -> None:
    conn.executemany(
        "INSERT OR IGNORE INTO revision_tag VALUES (?, ?)", [(revision, tag) for tag in case.tags]
    )
    if isinstance(case, StructuralCase):
        return
    conn.executemany(
        "INSERT INTO revision_citation (revision_id, position, page_id, url) VALUES (?, ?, ?, ?)",
        [
            (revision, position, page_key(conn, parse_url(citation.url).fetch_key), citation.url)
            for position, citation in enumerate(case.expected.expected_citations)
        ],
    )


def _event(
    conn: Connection,
    key: int,
    revision: int,
    kind: EventKind,
    author: str | None,
    reason: str | None,
) -> None:
    conn.execute(
        "INSERT INTO case_event (golden_case_id, revision_id, kind, author, reason, at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (key, revision, kind, author, reason, now()),
    )


def archive_case(
    conn: Connection, row: CaseRow, *, author: str | None = None, reason: str | None = None
) -> None:
    """Take a case out of all selections; nothing is deleted. Inside a transaction."""
    conn.execute("UPDATE golden_case SET archived_at = ? WHERE id = ?", (now(), row.key))
    _event(conn, row.key, row.revision, "archive", author, reason)


def restore_case(
    conn: Connection, row: CaseRow, *, author: str | None = None, reason: str | None = None
) -> None:
    """Bring an archived case back with its last revision. Inside a transaction."""
    conn.execute("UPDATE golden_case SET archived_at = NULL WHERE id = ?", (row.key,))
    _event(conn, row.key, row.revision, "restore", author, reason)


def history(conn: Connection, row: CaseRow) -> list[CaseEvent]:
    """What happened to a case, oldest first, each with the YAML of that time."""
    sql = (
        "SELECT v.kind, r.number, v.author, v.reason, v.at, r.source FROM case_event v"
        " JOIN case_revision r ON r.id = v.revision_id WHERE v.golden_case_id = ? ORDER BY v.id"
    )
    return [CaseEvent(*event) for event in conn.execute(sql, (row.key,))]


def revision_by_number(conn: Connection, row: CaseRow, number: int) -> int | None:
    """Key of a case's revision with that number."""
    sql = "SELECT id FROM case_revision WHERE golden_case_id = ? AND number = ?"
    found = conn.execute(sql, (row.key, number)).fetchone()
    return int(found[0]) if found else None


def known_values(conn: Connection, column: Literal["agent", "language", "topic"]) -> list[str]:
    """The agents, languages or topics of current cases, for suggestions and completion."""
    sql = (
        f"SELECT DISTINCT r.{column} FROM golden_case g JOIN case_revision r"
        f" ON r.id = g.current_revision_id WHERE g.archived_at IS NULL AND r.{column} IS NOT NULL"
    )
    return sorted(row[0] for row in conn.execute(sql))


def any_case(conn: Connection) -> bool:
    """Whether any case is not archived."""
    sql = "SELECT EXISTS (SELECT 1 FROM golden_case WHERE archived_at IS NULL)"
    return bool(conn.execute(sql).fetchone()[0])


def asked_agents(conn: Connection) -> set[str]:
    """Agents of all cases, archived ones too."""
    sql = """
        SELECT DISTINCT r.agent FROM golden_case g JOIN case_revision r
        ON r.id = g.current_revision_id
    """
    return {agent for (agent,) in conn.execute(sql)}


def known_ids(conn: Connection) -> list[str]:
    """All case ids that are not archived."""
    sql = "SELECT case_id FROM golden_case WHERE archived_at IS NULL ORDER BY case_id"
    return [row[0] for row in conn.execute(sql)]


def taken_ids(conn: Connection) -> list[str]:
    """All case ids, those of the archive too."""
    return [case_id for (case_id,) in conn.execute("SELECT case_id FROM golden_case")]


def archived_cases(conn: Connection) -> list[CaseRow]:
    """The cases in the archive, by id."""
    sql = f"{_CURRENT} WHERE g.archived_at IS NOT NULL ORDER BY g.case_id"
    return [CaseRow._make(row) for row in tuples(conn, sql)]
