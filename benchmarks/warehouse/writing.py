"""How fast runs are written, against raw sqlite3 writing the same rows into the same tables."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from jw_eval_store.domain.evaluations import LayerResult
from jw_eval_store.domain.outputs import AgentOutput, Finding
from jw_eval_store.store.connect import Connection, open_for_writing, transaction
from jw_eval_store.store.evaluations import NewEvaluation, put_evaluations
from jw_eval_store.store.runs import plan_results, start_run

RUNS = 20
TIMES = 5


def writing_ratio(database: Path) -> Iterator[tuple[str, str, str]]:
    """Runs of all cases, 95 % reused: their links, fresh verdicts and answers.

    Each in turn on a fresh copy, several times; the medians are compared.
    """
    spent: dict[Writer, list[Spent]] = {_ours: [], _raw: []}
    for _ in range(TIMES):
        for write, found in spent.items():
            found.append(_on_copy(database, write))
    ours, raw = (Spent(*map(median, zip(*found, strict=True))) for found in spent.values())
    yield (
        f"{RUNS} runs written, 95 % reused, against raw executemany",
        f"{ours.wall:.2f} s against {raw.wall:.2f} s: {raw.wall / ours.wall:.0%} of its speed;"
        f" processor {ours.cpu:.2f} s against {raw.cpu:.2f} s: {raw.cpu / ours.cpu:.0%}",
        ">= 50 %",
    )


class Spent(NamedTuple):
    """Seconds by the clock, and of the processor."""

    wall: float
    cpu: float

    @classmethod
    def now(cls) -> Spent:
        """Both clocks."""
        return cls(time.perf_counter(), time.process_time())

    def since(self, earlier: Spent) -> Spent:
        """What has passed."""
        return Spent(self.wall - earlier.wall, self.cpu - earlier.cpu)

    def and_since(self, started: Spent) -> Spent:
        """This, and what has passed since then."""
        more = Spent.now().since(started)
        return Spent(self.wall + more.wall, self.cpu + more.cpu)


Writer = Callable[[Connection], Spent]


def _on_copy(database: Path, write: Writer) -> Spent:
    path = Path(shutil.copy(database, database.with_name("writing.db")))
    with closing(open_for_writing(path)) as conn:
        spent = write(conn)
    path.unlink()
    return spent


def _cases(conn: Connection) -> list[tuple[int, int, int, int]]:
    """(case, revision, setup, evaluation) of the newest run."""
    rows = conn.execute(
        "SELECT l.golden_case_id, e.revision_id, e.setup_id, e.id FROM run_result l"
        " JOIN evaluation e ON e.id = l.evaluation_id WHERE l.run_id = (SELECT max(id) FROM run)"
    )
    return [tuple(row) for row in rows]


def _start(conn: Connection) -> int:
    return start_run(conn, {}, bundled=False, git=None, tool_version="1", policy=None).key


def _ours(conn: Connection) -> Spent:
    cases = _cases(conn)
    spent = Spent(0, 0)
    for number in range(RUNS):
        with transaction(conn):
            run = _start(conn)
        fresh = _fresh(run, cases[number::20], number)
        started = Spent.now()
        judged = {new.case for new in fresh}
        with transaction(conn):
            links = ((c, None if c in judged else e) for c, _, _, e in cases)
            plan_results(conn, run, links)
        with transaction(conn):
            put_evaluations(conn, fresh)
        spent = spent.and_since(started)
    return spent


def _fresh(run: int, cases: list[tuple[int, int, int, int]], number: int) -> list[NewEvaluation]:
    return [
        NewEvaluation(
            run, case, revision, setup,
            LayerResult(case_id=f"case_{case:05}", layer="l1", verdict="pass", duration_ms=12),
            output=_output(case, number),
        )
        for case, revision, setup, _ in cases
    ]  # fmt: skip


def _output(case: int, number: int) -> AgentOutput:
    """An answer whose JSON and address are known, as after the layer has seen it."""
    words = "word " * 60
    made = AgentOutput(findings=(Finding(text=f"answer {case} {number} {words}"),) * 3)
    assert made.content_hash
    return made


def _raw(conn: Connection) -> Spent:
    """The same rows, ready-made, by one executemany a table and transaction."""
    cases = _cases(conn)
    (key,) = conn.execute("SELECT max(id) FROM evaluation").fetchone()
    (out,) = conn.execute("SELECT max(id) FROM output").fetchone()
    spent = Spent(0, 0)
    for number in range(RUNS):
        with transaction(conn):
            run = _start(conn)
        fresh = cases[number::20]
        outputs = [_output(case, number) for case, *_ in fresh]
        answers = [(out + n, o.content_hash, o.content) for n, o in enumerate(outputs, 1)]
        rows: list[tuple[Any, ...]] = [
            (key + n, run, case, 0, revision, setup, None, None, out + n, "pass", None, None, 12,
             None)
            for n, (case, revision, setup, _) in enumerate(fresh, 1)
        ]  # fmt: skip
        made = {row[2]: row[0] for row in rows}
        links = [(run, case, made.get(case, evaluation)) for case, _, _, evaluation in cases]
        key, out = key + len(rows), out + len(answers)
        started = Spent.now()
        with transaction(conn):
            conn.executemany("INSERT INTO output VALUES (?, ?, ?)", answers)
            marks = ", ".join("?" * 14)
            conn.executemany(f"INSERT INTO evaluation VALUES ({marks})", rows)
            conn.executemany("INSERT INTO run_result VALUES (?, ?, ?)", links)
        spent = spent.and_since(started)
    return spent
