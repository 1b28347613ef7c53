"""Current cases as coverage counts them, with how they were last judged."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from jw_eval_store.domain.hashing import canonical_json
from jw_eval_store.store.connect import Connection


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
    source: str
    last_verdict: str | None

    @cached_property
    def substance(self) -> str:
        """Input and expectations: cases that agree in them count once."""
        return substance(json.loads(self.definition))


def substance(definition: dict[str, Any]) -> str:
    """What a case asks and expects, without id, metadata and lint switches."""
    left_out = ("id", "metadata", "lint")
    return canonical_json({k: v for k, v in definition.items() if k not in left_out})


def covered_cases(conn: Connection, *, bundled: bool) -> list[CoveredCase]:
    """All current cases by id, archived ones left out."""
    sql = """
        SELECT v.case_id, r.id, v.agent, v.layer, v.language, v.topic, v.definition, v.source,
               v.last_verdict
        FROM v_case v JOIN golden_case g ON g.case_id = v.case_id
        JOIN case_revision r ON r.id = g.current_revision_id
        WHERE v.archived_at IS NULL AND v.bundled = ? ORDER BY v.case_id
    """
    return [CoveredCase(*row) for row in conn.execute(sql, (int(bundled),))]


def oldest_evidence(conn: Connection, agent: str, *, bundled: bool) -> list[tuple[str, str | None]]:
    """(fetch key, time of the current snapshot) of every page that an agent's cases cite."""
    sql = """
        SELECT DISTINCT p.fetch_key, n.captured_at
        FROM golden_case g JOIN case_revision r ON r.id = g.current_revision_id
        JOIN revision_citation c ON c.revision_id = r.id JOIN page p ON p.id = c.page_id
        LEFT JOIN snapshot n ON n.id = p.current_snapshot_id
        WHERE g.archived_at IS NULL AND g.bundled = ? AND r.agent = ? ORDER BY 1
    """
    return [(row[0], row[1]) for row in conn.execute(sql, (int(bundled), agent))]
