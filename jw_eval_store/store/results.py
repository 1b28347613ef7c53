"""Results of a run as they are read: one row a case, with the inputs that made the verdict."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast, get_args

from jw_eval_store.domain.vocabulary import Layer, NoAnswer, ReasonCode, Verdict
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.rows import tuples


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One case of a run. `verdict` none: planned, but not judged. Keys are local to the file."""

    case: int
    case_id: str
    agent: str
    layer: Layer
    language: str
    topic: str | None
    revision: int
    content_hash: str
    evaluation: int | None
    verdict: Verdict | None
    reason_code: ReasonCode | None
    score: float | None
    duration_ms: int
    detail: str | None
    made_in: str | None
    setup: int | None
    evidence_set: str | None
    recording: str | None

    def parsed_detail(self) -> Mapping[str, Any]:
        """Reasons, details and log."""
        return cast("Mapping[str, Any]", json.loads(self.detail)) if self.detail else {}


_RESULTS = """
    SELECT g.id, g.case_id, r.agent, r.layer, r.language, r.topic, r.id, r.content_hash,
           e.id, e.verdict, e.reason_code, e.score, coalesce(e.duration_ms, 0), e.detail,
           made.ulid, e.setup_id, s.set_hash, rec.content_hash
    FROM run_result l
    JOIN golden_case g ON g.id = l.golden_case_id
    LEFT JOIN evaluation e ON e.id = l.evaluation_id
    JOIN case_revision r ON r.id = coalesce(e.revision_id, g.current_revision_id)
    LEFT JOIN run made ON made.id = e.run_id
    LEFT JOIN evidence_set s ON s.id = e.evidence_set_id
    LEFT JOIN recording rec ON rec.id = e.recording_id
    WHERE l.run_id = :run
"""


def results_of(conn: Connection, run: int, *, but_passes: bool = False) -> Iterator[ResultRow]:
    """A run's results by case id; `but_passes` leaves out what passed."""
    wanted = "AND e.verdict IS NOT 'pass'" if but_passes else ""
    conn_rows = conn.execute(f"{_RESULTS} {wanted} ORDER BY g.case_id", {"run": run})
    return (ResultRow(*row) for row in conn_rows)


def result_of(conn: Connection, run: int, case: int) -> ResultRow | None:
    """One case's result in a run; none where the run has no such case."""
    sql = f"{_RESULTS} AND l.golden_case_id = :case"
    row = conn.execute(sql, {"run": run, "case": case}).fetchone()
    return ResultRow(*row) if row else None


def counts_of(conn: Connection, run: int) -> dict[Layer, Counter[Verdict]]:
    """Verdicts per layer, from the roll-ups; what was never judged counts as an error."""
    counts: dict[Layer, Counter[Verdict]] = {}
    sql = (
        "SELECT layer, sum(passed), sum(failed), sum(skipped), sum(errors) FROM rollup"
        " WHERE run_id = ? GROUP BY layer ORDER BY layer"
    )
    for layer, passed, failed, skipped, errors in conn.execute(sql, (run,)):
        counts[layer] = Counter({"pass": passed, "fail": failed, "skip": skipped, "error": errors})
    return counts


def is_unanswered(conn: Connection, run: int) -> bool:
    """Whether a run has results, and not one case an answer that could be judged."""
    codes = get_args(NoAnswer)
    sql = f"""
        SELECT min(coalesce(e.reason_code IN ({", ".join("?" * len(codes))}), 0))
        FROM run_result l LEFT JOIN evaluation e ON e.id = l.evaluation_id WHERE l.run_id = ?
    """
    return bool(conn.execute(sql, (*codes, run)).fetchone()[0])


def reused_of(conn: Connection, run: int) -> dict[Layer, int]:
    """How many results per layer were taken from earlier runs."""
    sql = "SELECT layer, sum(reused) FROM rollup WHERE run_id = ? GROUP BY layer"
    return {row[0]: row[1] for row in conn.execute(sql, (run,))}


def agent_counts(conn: Connection, run: int) -> list[dict[str, Any]]:
    """The roll-ups of a run by layer and agent, as `domain.reports.AgentCounts` names them."""
    sql = """
        SELECT layer, agent, json_group_array(language) AS languages, sum(passed) AS passed,
               sum(failed) AS failed, sum(errors) AS errors, sum(skipped) AS skipped,
               sum(reused) AS reused
        FROM rollup WHERE run_id = ? GROUP BY layer, agent ORDER BY layer, agent
    """
    rows = conn.execute(sql, (run,))
    names = [column[0] for column in rows.description]
    found = [dict(zip(names, row, strict=True)) for row in rows]
    return [row | {"languages": tuple(sorted(json.loads(row["languages"])))} for row in found]


def setup_inputs(conn: Connection, setups: Iterable[int]) -> dict[int, dict[str, str]]:
    """By setup key: the natural keys of its parts, as reports carry them."""
    sql = """
        SELECT s.layer_version, f.fingerprint_hash, m.identity_hash, j.identity_hash, s.settings
        FROM setup s LEFT JOIN agent_fingerprint f ON f.id = s.agent_fingerprint_id
        LEFT JOIN embedder m ON m.id = s.embedder_id LEFT JOIN judge j ON j.id = s.judge_id
        WHERE s.id = ?
    """
    return {key: _inputs(conn.execute(sql, (key,)).fetchone()) for key in set(setups)}


def _inputs(row: Any) -> dict[str, str]:
    version, agent, embedder, judge, settings = row
    named = {"layer": version, "agent": agent or "unknown", "embedder": embedder, "judge": judge}
    return {name: value for name, value in named.items() if value} | {"settings": settings}


def case_files(conn: Connection, revisions: Iterable[int]) -> dict[int, str]:
    """By revision key: the file it was synced from."""
    sql = "SELECT path FROM synced_file WHERE kind = 'case' AND revision_id = ?"
    found = ((key, conn.execute(sql, (key,)).fetchone()) for key in revisions)
    return {key: row[0] for key, row in found if row}


def origins_of(conn: Connection, run: int) -> dict[str, int]:
    """Passes of L2 per origin of evidence: what they rest on."""
    sql = """
        SELECT i.origin, count(DISTINCT e.golden_case_id)
        FROM run_result l JOIN evaluation e ON e.id = l.evaluation_id
        JOIN setup s ON s.id = e.setup_id AND s.layer = 'l2'
        JOIN evidence_set_item i ON i.evidence_set_id = e.evidence_set_id
        WHERE l.run_id = ? AND e.verdict = 'pass' AND i.origin IS NOT NULL GROUP BY i.origin
    """
    return {row[0]: row[1] for row in conn.execute(sql, (run,))}


def repeated_answers(conn: Connection, run: int) -> list[tuple[str, str, str, str]]:
    """(case id, agent, input as JSON, findings as JSON) of a run's own evaluations whose agent
    found the same for another case of the run."""
    sql = """
        WITH made AS (
            SELECT g.case_id, r.agent, r.definition -> '$.input' AS input,
                   coalesce(o.body -> '$.findings', '[]') AS findings
            FROM evaluation e JOIN golden_case g ON g.id = e.golden_case_id
            JOIN case_revision r ON r.id = e.revision_id JOIN output o ON o.id = e.output_id
            WHERE e.run_id = ? AND e.repeat = 0
        )
        SELECT case_id, agent, input, findings FROM made
        WHERE (agent, findings) IN (
            SELECT agent, findings FROM made GROUP BY 1, 2 HAVING count(DISTINCT input) > 1)
        ORDER BY agent, case_id
    """
    return [(case, agent, asked, found) for case, agent, asked, found in tuples(conn, sql, (run,))]


def unknown_fingerprints(conn: Connection, setups: Iterable[int]) -> list[str]:
    """Agents among these setups whose fingerprint is unknown."""
    sql = "SELECT agent FROM setup WHERE id = ? AND agent_fingerprint_id IS NULL"
    found = (conn.execute(sql, (key,)).fetchone() for key in setups)
    return sorted({row[0] for row in found if row})
