"""The store at size: ten million results, asked by whole processes.

python -m benchmarks warehouse            # some minutes; --quick for a hundredth of the size

JW_EVAL_RIVALS names a Python that has `mlflow-skinny sqlalchemy alembic inspect_ai` installed, or
one of the two tools; with it the same questions are put to a million results here, in MLflow's
SQLite store and in inspect_ai's logs.
JW_EVAL_STORE names a store that was made before (`benchmarks.warehouse.generate`), to save minutes.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from benchmarks.timing import load, timed
from benchmarks.warehouse.generate import AGENTS, make_store
from benchmarks.warehouse.others import beside_others
from benchmarks.warehouse.writing import Spent, writing_ratio
from jw_eval_store.store.connect import open_for_reading
from jw_eval_store.store.merging.merge import merge

Row = tuple[str, str, str]
JW_EVAL = str(Path(sys.executable).with_name("jw-eval"))


def figures(quick: bool) -> Iterator[Row]:
    """(what, measured, target), on a store that is made first."""
    cases, runs = (500, 200) if quick else (5_000, 2_000)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        database = _store(root, cases, runs)
        yield from _size(database, cases * runs)
        yield from _questions(root, database)
        yield from _opening(database)
        yield from writing_ratio(database)
        database.unlink()
        yield from _merging(root, runs=20 if quick else 200)
        yield from beside_others(root, runs=4 if quick else 200)


def _store(root: Path, cases: int, runs: int) -> Path:
    target = root / "results.db"
    made = os.environ.get("JW_EVAL_STORE")
    if made:
        return Path(shutil.copy(made, target))
    make_store(target, cases=cases, runs=runs)
    return target


def _size(database: Path, results: int) -> Iterator[Row]:
    with closing(sqlite3.connect(database)) as conn:
        (fresh,) = conn.execute("SELECT count(*) FROM evaluation").fetchone()
    size = database.stat().st_size
    yield f"{results:,} results, {1 - fresh / results:.1%} reused", f"{size / 1e6:,.0f} MB", ""
    yield "bytes per result, all tables and indexes", f"{size / results:.0f}", "<= 60"


def _questions(root: Path, database: Path) -> Iterator[Row]:
    rules = "".join(
        f"  agent_{n:02}: {{l1: 9, l2: 3, l3: 1, languages: [en, es]}}\n" for n in range(AGENTS)
    )
    (root / "policy.yaml").write_text(f"coverage:\n{rules}")
    (root / "jw-eval.toml").write_text(f'db = "{database.name}"\npolicy = "policy.yaml"\n')
    bare = timed([sys.executable, "-c", "import sqlite3"], root, runs=9)
    yield "bare Python with sqlite3, to compare with", str(bare), ""
    yield "load of the machine", load(), ""
    asked = {
        "coverage of an agent": ("coverage", "--agent", "agent_03"),
        "diff of a baseline and the newest run": ("diff", "main", "last"),
        "trend of an agent": ("trend", "--agent", "agent_03"),
        "trend by day, all agents": ("trend", "--by", "day"),
        "runs list": ("runs", "list"),
        "explain a case": ("explain", "case_00003"),
        "all unstable cases": ("unstable",),
        "v_result of a case": ("sql", "select * from v_result where case_id = 'case_00003'"),
    }
    for what, command in asked.items():
        timed([JW_EVAL, *command], root, runs=1)
        target = "" if command == ("unstable",) else "<= 0.3 s"
        yield what, str(timed([JW_EVAL, *command], root, runs=9)), target


def _opening(database: Path) -> Iterator[Row]:
    def ours() -> None:
        open_for_reading(database).close()

    def raw() -> None:
        with closing(sqlite3.connect(database)) as conn:
            conn.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()

    added = 1000 * (_median(ours) - _median(raw))
    yield "opening the file, beyond sqlite3's own", f"{added:.1f} ms", "<= 20 ms"


def _median(call: Callable[[], None], times: int = 51) -> float:
    seconds = []
    for _ in range(times):
        started = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds)


def _merging(root: Path, runs: int) -> Iterator[Row]:
    paths = [root / f"machine-{number}.db" for number in range(8)]
    for number, path in enumerate(paths):
        make_store(path, cases=500, runs=runs, machine=number)
    started = Spent.now()
    merge(root / "merged.db", paths)
    spent = Spent.now().since(started)
    said = f"{spent.wall:.1f} s, processor {spent.cpu:.1f} s"
    yield f"merge of 8 files of {500 * runs:,} results", said, "<= 20 s"
