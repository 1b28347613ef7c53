"""Cases that got different verdicts from the very same inputs, as the view says."""

from __future__ import annotations

from jw_eval_store.domain.wavering import UnstableCase
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.rows import tuples


def unstable_cases(conn: Connection, agent: str | None) -> list[UnstableCase]:
    """The current content of cases that wavered, of an agent or of all."""
    where = "AND agent = ?" if agent else ""
    sql = f"""
        SELECT case_id, agent, layer, judgements, passed, failed, undecided, first_run, last_run
        FROM v_unstable WHERE current {where}
    """
    return [UnstableCase(*row) for row in tuples(conn, sql, (agent,) if agent else ())]


def has_cases(conn: Connection, agent: str) -> bool:
    """Whether any case, current or not, asks this agent."""
    found = conn.execute("SELECT 1 FROM case_revision WHERE agent = ? LIMIT 1", (agent,))
    return found.fetchone() is not None
