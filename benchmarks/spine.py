"""The figures of the main job: start, bundled suite, cost per case, incremental run, bytes.

python -m benchmarks spine            # some minutes; --quick for a tenth of the size
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import timeit
from collections.abc import Callable, Iterator
from pathlib import Path

import yaml

from benchmarks.project import L2, make_project, write_case
from benchmarks.timing import timed
from jw_eval_store.golden.reading import read_case

JW_EVAL = [sys.executable, "-m", "jw_eval_cli"]


def figures(quick: bool) -> Iterator[tuple[str, str, str]]:
    """(what, measured, target), each measured in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        yield _help(root)
        yield _reading()
        yield _bundled(root)
        yield from _per_case(root / "cases", 1_000 if quick else 10_000)
        yield from _incremental(root / "many", 10_000 if quick else 100_000)


def _help(root: Path) -> tuple[str, str, str]:
    command = [str(Path(sys.executable).with_name("jw-eval")), "--help"]
    bare = timed([sys.executable, "-c", "pass"], root, runs=9)
    measured = timed(command, root, runs=9)
    ratio = measured.median / bare.median
    return "jw-eval --help", f"{measured}, {ratio:.1f} x bare Python", "<= 0.20 s"


def _bundled(root: Path) -> tuple[str, str, str]:
    folder = root / "bundled"
    folder.mkdir()

    def fresh() -> None:
        for path in (folder / ".jw-eval").glob("*"):
            path.unlink()

    measured = timed([*JW_EVAL, "run", "--bundled"], folder, before=fresh)
    return "run --bundled, new database", str(measured), "<= 3 s"


def _per_case(root: Path, cases: int) -> Iterator[tuple[str, str, str]]:
    make_project(root, cases)
    first = timed([*JW_EVAL, "run"], root, runs=1)
    again = timed([*JW_EVAL, "run"], root, runs=3)
    each = 1000 * again.median / cases
    yield f"{cases:,} cases, files read for the first time", str(first), ""
    yield f"{cases:,} cases, run again", f"{again}, {each:.2f} ms a case", "<= 1 ms a case"
    database = root / ".jw-eval" / "results.db"
    with sqlite3.connect(database) as conn:
        results = conn.execute("SELECT count(*) FROM run_result").fetchone()[0]
    size = database.stat().st_size
    yield f"database with {results:,} fresh results", f"{size / results:.0f} bytes a result", ""


def _incremental(root: Path, cases: int) -> Iterator[tuple[str, str, str]]:
    make_project(root, cases)
    timed([*JW_EVAL, "run"], root, runs=1)
    database = root / ".jw-eval" / "results.db"
    before, changes = database.stat().st_size, iter(range(100))

    def change_ten() -> None:
        comment = f"  max_warnings: {next(changes)}\n"
        for number in range(1, 100, 10):
            write_case(root, number, comment)

    runs = 5
    measured = timed([*JW_EVAL, "run", "--since", "last"], root, runs=runs, before=change_ten)
    yield f"run --since last, {cases:,} cases, 10 changed", str(measured), "<= 3 s"
    grown = (database.stat().st_size - before) / (runs * cases)
    yield "bytes per reused result", f"{grown:.0f}", "<= 60"


def _reading() -> tuple[str, str, str]:
    """One small case read and checked, beside what libyaml alone takes to parse its text."""
    source = L2.format(id="case", number=1, page=1).encode()
    ours = _best(lambda: read_case("l2/case.yaml", source, "l2"))
    parse = _best(lambda: list(yaml.parse(source, Loader=yaml.CSafeLoader)))
    each = f"{1000 * ours:.2f} ms, {ours / parse:.1f} x parsing its text"
    return "one small case read and checked", each, "<= 0.25 ms"


def _best(call: Callable[[], object]) -> float:
    return min(timeit.repeat(call, number=200, repeat=5)) / 200
