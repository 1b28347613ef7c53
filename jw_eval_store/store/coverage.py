"""Current cases as coverage counts them, with how they were last judged, and what lint says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from jw_eval_store.domain.hashing import canonical_json, json_hash
from jw_eval_store.domain.languages import bcp47
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.rows import tuples


@dataclass(frozen=True)
class CoveredCase:
    """A current case: what it is about, what it says, how it was last judged."""

    case_id: str
    revision: int
    agent: str
    layer: str
    language: str
    topic: str | None
    definition: str
    last_verdict: str | None

    @cached_property
    def substance(self) -> str:
        """Input and expectations: cases that agree in them count once."""
        return substance(json.loads(self.definition))


def substance(definition: dict[str, Any]) -> str:
    """What a case asks and expects, without id, metadata and lint switches.

    A language is the same however it is spelt: `E` and `en` ask once.
    """
    left_out = ("id", "metadata", "lint")
    kept = {k: v for k, v in definition.items() if k not in left_out}
    asked = kept.get("input", {})
    if "language" in asked:
        kept["input"] = {**asked, "language": bcp47(asked["language"])}
    return canonical_json(kept)


def covered_cases(
    conn: Connection, agents: Iterable[str] | None, *, bundled: bool
) -> list[CoveredCase]:
    """The current cases of these agents (none: of all) by id, archived ones left out."""
    wanted = None if agents is None else [*agents]
    where = "" if wanted is None else f"AND v.agent IN ({', '.join('?' * len(wanted))})"
    sql = f"""
        SELECT v.case_id, g.current_revision_id, v.agent, v.layer, v.language, v.topic,
               v.definition, v.last_verdict
        FROM v_case v JOIN golden_case g ON g.case_id = v.case_id
        WHERE v.archived_at IS NULL AND v.bundled = ? {where} ORDER BY v.case_id
    """
    return [CoveredCase(*row) for row in tuples(conn, sql, (int(bundled), *(wanted or ())))]


def sources_of(conn: Connection, revisions: Iterable[int]) -> dict[int, str]:
    """By revision key: the case as YAML."""
    sql = "SELECT source FROM case_revision WHERE id = ?"
    return {key: conn.execute(sql, (key,)).fetchone()[0] for key in revisions}


def lint_key(rules: str, cases: Sequence[CoveredCase]) -> str:
    """Content address of what lint says depends on: its rules' code, and the cases."""
    return json_hash([rules, [(case.case_id, case.definition) for case in cases]])


def known_faults(conn: Connection, agent: str, key: str, *, bundled: bool) -> dict[int, str] | None:
    """Faults by revision key, where lint has looked at just these cases; else none."""
    row = conn.execute(
        "SELECT set_hash FROM linted_agent WHERE agent = ? AND bundled = ?", (agent, int(bundled))
    ).fetchone()
    if row is None or row[0] != key:
        return None
    sql = """
        SELECT f.revision_id, f.message FROM lint_fault f
        JOIN case_revision r ON r.id = f.revision_id WHERE r.agent = ?
    """
    return dict(tuples(conn, sql, (agent,)))


def put_faults(
    conn: Connection, agent: str, key: str, faults: Mapping[int, str], *, bundled: bool
) -> None:
    """Replace what is known of an agent's cases; inside a transaction."""
    conn.execute(
        "DELETE FROM lint_fault WHERE revision_id IN (SELECT r.id FROM case_revision r"
        " JOIN golden_case g ON g.id = r.golden_case_id WHERE r.agent = ? AND g.bundled = ?)",
        (agent, int(bundled)),
    )
    conn.executemany("INSERT INTO lint_fault VALUES (?, ?)", faults.items())
    conn.execute(
        "INSERT INTO linted_agent VALUES (?, ?, ?)"
        " ON CONFLICT (agent, bundled) DO UPDATE SET set_hash = excluded.set_hash",
        (agent, int(bundled), key),
    )


def evidence_ages(conn: Connection, agent: str, *, bundled: bool) -> list[tuple[str, str | None]]:
    """(fetch key, time of the current snapshot) of every page that an agent's cases cite."""
    sql = """
        SELECT DISTINCT p.fetch_key, n.captured_at
        FROM golden_case g JOIN case_revision r ON r.id = g.current_revision_id
        JOIN revision_citation c ON c.revision_id = r.id JOIN page p ON p.id = c.page_id
        LEFT JOIN snapshot n ON n.id = p.current_snapshot_id
        WHERE g.archived_at IS NULL AND g.bundled = ? AND r.agent = ? ORDER BY 1
    """
    return [(row[0], row[1]) for row in conn.execute(sql, (int(bundled), agent))]


def recording_ages(conn: Connection, agent: str, *, bundled: bool) -> list[tuple[str, str]]:
    """(case id, time) of the recordings that are replayed for an agent's current cases."""
    sql = """
        SELECT g.case_id, n.recorded_at FROM current_recording n
        JOIN golden_case g ON g.id = n.golden_case_id
        WHERE g.archived_at IS NULL AND g.bundled = ? AND n.agent = ? ORDER BY 1
    """
    return [(row[0], row[1]) for row in conn.execute(sql, (int(bundled), agent))]
