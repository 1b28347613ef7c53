"""The same results, and the same questions, here and in other tools: a million of them."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from ast import literal_eval
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from benchmarks.timing import load, timed
from benchmarks.warehouse.generate import make_store

JW_EVAL = str(Path(sys.executable).with_name("jw-eval"))
RIVALS = Path(__file__).with_name("rivals.py")
CASES = 5_000
TOOLS = {"mlflow": ("mlflow", "mlflow-skinny sqlalchemy alembic"),
         "inspect_ai": ("inspect_ai", "inspect_ai")}  # fmt: skip
"""Name of the tool -> its module, and what pip installs for it."""
ASKED = {
    "runs": "newest runs",
    "diff": "two runs compared, case by case",
    "trend": "share of passes of the newest 20 runs",
    "case": "one case in all runs (inspect_ai: in 20)",
}


def beside_others(root: Path, runs: int) -> Iterator[tuple[str, str, str]]:
    """Size and times here and there. Raises RuntimeError where another tool answers otherwise."""
    python = os.environ.get("JW_EVAL_RIVALS")
    if not python:
        yield "mlflow, inspect_ai", "not measured: JW_EVAL_RIVALS names no Python that has them", ""
        return
    here = root / "here"
    here.mkdir()
    make_store(here / "results.db", cases=CASES, runs=runs)
    yield "load of the machine", load(), ""
    yield from _ours(here, runs)
    for tool, (module, packages) in TOOLS.items():
        there = subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False)
        if there.returncode:
            yield tool, f"not measured: not installed in {python} (pip install {packages})", ""
        else:
            yield from _theirs(tool, root / tool, here / "results.db", python, runs)


def _ours(here: Path, runs: int) -> Iterator[tuple[str, str, str]]:
    (here / "jw-eval.toml").write_text('db = "results.db"\n')
    newest = _newest_two(here / "results.db")
    size = (here / "results.db").stat().st_size
    yield f"jw-eval: bytes per result, {CASES * runs:,} results", f"{size / CASES / runs:.0f}", ""
    commands = {
        "runs": ("runs", "list"),
        "diff": ("diff", *newest),
        "trend": ("trend", "--last", "20"),
        "case": ("sql", "select run, verdict from v_result where case_id = 'case_00003'"),
    }
    for question, command in commands.items():
        timed([JW_EVAL, *command], here, runs=1)
        yield f"jw-eval: {ASKED[question]}", str(timed([JW_EVAL, *command], here, runs=5)), ""


def _theirs(
    tool: str, folder: Path, database: Path, python: str, runs: int
) -> Iterator[tuple[str, str, str]]:
    folder.mkdir()
    (folder / "verdicts.txt").write_text("\n".join(_verdicts(database)))
    ask = [python, str(RIVALS), tool]
    yield f"{tool}: written", str(timed([*ask, "write", str(runs)], folder, runs=1)), ""
    size = sum(p.stat().st_size for p in folder.rglob("*") if p.suffix in (".db", ".eval"))
    yield f"{tool}: bytes per result", f"{size / CASES / runs:.0f}", ""
    for question, what in ASKED.items():
        measured = timed([*ask, question, str(runs)], folder, runs=3)
        if question == "diff" and literal_eval(measured.output) != _differing(database):
            raise RuntimeError(f"{tool} finds other differences: {measured.output}")
        yield f"{tool}: {what}", str(measured), ""
    shutil.rmtree(folder)


def _verdicts(database: Path) -> list[str]:
    """A line a run, oldest first: a character a case, 1 for a pass."""
    sql = """
        SELECT l.run_id, e.verdict = 'pass' FROM run_result l
        JOIN evaluation e ON e.id = l.evaluation_id ORDER BY l.run_id, l.golden_case_id
    """
    lines: dict[int, list[str]] = {}
    with closing(sqlite3.connect(database)) as conn:
        for run, passed in conn.execute(sql):
            lines.setdefault(run, []).append(str(passed))
    return ["".join(line) for line in lines.values()]


def _newest_two(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as conn:
        rows = conn.execute("SELECT ulid FROM run ORDER BY id DESC LIMIT 2").fetchall()
    return [ulid for (ulid,) in reversed(rows)]


def _differing(database: Path) -> list[str]:
    """Cases that pass in one of the newest two runs only, by id."""
    before, after = _newest_two(database)
    sql = """
        SELECT case_id FROM v_run_diff WHERE before = ? AND after = ?
        AND (verdict_before = 'pass') <> (verdict_after = 'pass') ORDER BY case_id
    """
    with closing(sqlite3.connect(database)) as conn:
        return [case for (case,) in conn.execute(sql, (before, after))]
