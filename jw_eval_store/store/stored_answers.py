"""What agents answered in a run, to be judged again without asking them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jw_eval_store.store.connect import Connection
from jw_eval_store.store.rows import tuples
from jw_eval_store.store.setups import StoredFingerprint


@dataclass(frozen=True)
class StoredAnswer:
    """One case's L3 result in a run, with keys. `output` is JSON; none: there is none to judge."""

    case: int
    case_id: str
    revision: int
    agent: str
    evaluation: int
    recording: int | None
    fingerprint: StoredFingerprint | None
    output: str | None


_ANSWERS = """
    SELECT g.id, g.case_id, e.revision_id, s.agent, e.id, e.recording_id,
           f.fingerprint_hash, f.origin, f.detail,
           iif(e.verdict <> 'skip' AND coalesce(e.reason_code, '') NOT LIKE 'agent\\_%' ESCAPE '\\'
               AND e.reason_code IS NOT 'recording_miss', o.body, NULL)
    FROM run_result l
    JOIN evaluation e ON e.id = l.evaluation_id
    JOIN setup s ON s.id = e.setup_id AND s.layer = 'l3'
    JOIN golden_case g ON g.id = l.golden_case_id
    LEFT JOIN agent_fingerprint f ON f.id = s.agent_fingerprint_id
    LEFT JOIN output o ON o.id = e.output_id
    WHERE l.run_id = ? ORDER BY g.case_id
"""


def stored_answers(conn: Connection, run: int, case_ids: Sequence[str] = ()) -> list[StoredAnswer]:
    """The L3 results of a run by case id; `case_ids` none: all.

    What an agent returned beside an error of its own is no answer: it was never judged.
    """
    found = map(_answer, tuples(conn, _ANSWERS, (run,)))
    return [answer for answer in found if not case_ids or answer.case_id in case_ids]


def _answer(row: tuple[Any, ...]) -> StoredAnswer:
    case, case_id, revision, agent, evaluation, recording, digest, origin, detail, output = row
    fingerprint = StoredFingerprint(agent, digest, origin, json.loads(detail)) if digest else None
    return StoredAnswer(case, case_id, revision, agent, evaluation, recording, fingerprint, output)
