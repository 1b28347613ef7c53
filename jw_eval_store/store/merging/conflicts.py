"""What two files say otherwise under one natural key: looked for before anything is written."""

from __future__ import annotations

from collections.abc import Iterator

from jw_eval_store.store.connect import Connection
from jw_eval_store.store.merging.tables import MERGED

_SAME_VERDICT = """
    FROM src.run r JOIN main.run n ON n.ulid = r.ulid
    JOIN src.evaluation s ON s.run_id = r.id
    JOIN src.golden_case g ON g.id = s.golden_case_id
    JOIN main.golden_case c ON c.case_id = g.case_id
    JOIN main.evaluation t
      ON t.run_id = n.id AND t.golden_case_id = c.id AND t.repeat = s.repeat
"""
_EVALUATIONS = f"""
    SELECT 'evaluation', r.ulid || ' ' || g.case_id, 'verdict' {_SAME_VERDICT}
    LEFT JOIN src.output so ON so.id = s.output_id LEFT JOIN main.output o ON o.id = t.output_id
    WHERE s.verdict <> t.verdict OR s.score IS NOT t.score OR s.reason_code IS NOT t.reason_code
       OR s.detail IS NOT t.detail OR so.content_hash IS NOT o.content_hash
    LIMIT 5
"""
_STEPS = f"""
    SELECT 'judge_step', r.ulid || ' ' || g.case_id || ' ' || x.seq, 'reply' {_SAME_VERDICT}
    JOIN src.judge_step x ON x.evaluation_id = s.id
    JOIN main.judge_step y ON y.evaluation_id = t.id AND y.seq = x.seq
    WHERE x.reply <> y.reply OR x.answer IS NOT y.answer OR x.node <> y.node
    LIMIT 5
"""


def conflicts(conn: Connection) -> Iterator[str]:
    """Each row on which the file attached as `src` differs, in words."""
    for table in MERGED:
        for column in table.fixed:
            yield from _differing(conn, table.name, table.key, column)
    for sql in (_EVALUATIONS, _STEPS):
        for name, key, column in conn.execute(sql):
            yield f"{name} {key}: {column} differs"


def _differing(conn: Connection, table: str, key: tuple[str, ...], column: str) -> Iterator[str]:
    same = " AND ".join(f"t.{name} = s.{name}" for name in key)
    shown = " || ' ' || ".join(f"s.{name}" for name in key)
    rows = conn.execute(
        f"SELECT {shown} FROM src.{table} s JOIN main.{table} t ON {same}"
        f" WHERE s.{column} IS NOT t.{column} LIMIT 5"
    )
    for (found,) in rows:
        yield f"{table} {found}: {column} differs"
