"""Trends, exports, SQL and what agrees with what."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import duckdb
import pytest

from jw_eval_cli.sqlprompt import completer
from jw_eval_store.config.database import Located, locate
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.domain.histories import TrendPoint
from jw_eval_store.reports.history import trend_report
from jw_eval_store.reports.plot import mermaid, plot, svg
from jw_eval_store.reports.tables import write_table
from jw_eval_store.reports.views import views_text
from jw_eval_store.runs.exporting import export_results
from jw_eval_store.runs.history import TrendRequest, trend
from jw_eval_store.store import connect
from jw_eval_store.store.prune import Keep, prune
from jw_eval_store.store.sqlquery import query

COOKBOOK = Path(__file__).parents[2] / "docs" / "sql-cookbook.md"
RECIPES = re.findall(r"```sql\n(.+?)```", COOKBOOK.read_text(encoding="utf-8"), re.DOTALL)
LIGHT = (
    ("runs", "list"),
    ("trend",),
    ("diff", "main", "last"),
    ("explain", "case_00001"),
    ("sql", "select * from v_result where case_id = 'case_00001'"),
)


def test_points_are_the_last_run_of_their_day_or_revision(store: Located) -> None:
    runs = trend(TrendRequest(last=100), store)
    assert len(runs) == 30
    by_day = {point.at[:10]: point.run for point in runs}
    assert [p.run for p in trend(TrendRequest(by="day", last=100), store)] == [*by_day.values()]
    assert len(trend(TrendRequest(by="revision", last=100), store)) == 30
    one = trend(TrendRequest(agent="agent_03", layer="l1", last=100), store)
    with connect.reading(store.database) as conn:
        sql = "SELECT run, sum(passed) FROM v_trend WHERE agent = 'agent_03' AND layer = 'l1'"
        rows = dict(conn.execute(f"{sql} GROUP BY run").fetchall())
    assert {point.run: point.passed for point in one} == rows
    with pytest.raises(EmptySelectionError, match="no finished run"):
        trend(TrendRequest(agent="nobody"), store)


def test_marks_say_where_judge_embedder_or_case_set_changed(store: Located) -> None:
    with connect.writing(store.database) as conn:
        for run, key in ((10, "judge"), (15, "embedder")):
            conn.execute(
                "UPDATE run SET notices = json_set(notices, ?, 'new') WHERE id >= ?",
                (f"$.{key}", run),
            )
        conn.execute("UPDATE run SET case_set_hash = 'sha256:other' WHERE id >= 20")
    marks = [point.marks for point in trend(TrendRequest(last=100), store)]
    assert {n + 1: m for n, m in enumerate(marks) if m} == {
        10: ("judge",),
        15: ("embedder",),
        20: ("case set",),
    }


def test_a_run_is_held_against_the_last_one_of_the_same_layers(store: Located) -> None:
    with connect.writing(store.database) as conn:
        conn.executescript("""
            UPDATE run SET case_set_hash = 'sha256:all';
            UPDATE run SET notices = '{"embedder":"none","judge":"none"}',
                           case_set_hash = 'sha256:l1' WHERE id % 3 <> 0;
            DELETE FROM rollup WHERE layer <> 'l1' AND run_id % 3 <> 0;
            DELETE FROM run_result WHERE run_id % 3 <> 0 AND golden_case_id NOT IN
                (SELECT golden_case_id FROM case_revision WHERE layer = 'l1');
            UPDATE run SET notices = json_set(notices, '$.judge', 'new') WHERE id >= 12;
        """)
    points = trend(TrendRequest(last=100), store)
    assert {p.layers for p in points} == {("l1",), ("l1", "l2", "l3")}
    assert {n: p.marks for n, p in enumerate(points, 1) if p.marks} == {12: ("judge",)}
    assert not any(p.marks for p in trend(TrendRequest(layer="l1", last=100), store))
    table = trend_report(points, "table").splitlines()
    assert table[0].endswith("layers")
    assert [line.split()[-1] for line in table[1:4]] == ["L1", "L1", "L3"]
    assert "layers" not in trend_report(trend(TrendRequest(layer="l1"), store), "table")


def point(passed: int, *marks: str) -> TrendPoint:
    return TrendPoint("2026-05-30T12:00:00Z", "01JW", None, passed, 10 - passed, 0, 0, None, marks)


def test_a_trend_is_drawn_as_svg(tmp_path: Path) -> None:
    points = [point(10), point(7, "judge"), point(9)]
    root = ElementTree.fromstring(svg(points, "a <b> & c"))
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a <b> & c", "judge changed", "2026-05-30", "100%"} <= set(texts)
    assert len([*root.iter("{http://www.w3.org/2000/svg}circle")]) == 3
    plot([point(0)], tmp_path / "t.svg", "t")
    ElementTree.parse(tmp_path / "t.svg")
    with pytest.raises(UsageError, match=r"is \.svg or \.png"):
        plot(points, tmp_path / "t.gif", "t")


@pytest.mark.long  # matplotlib looks at all fonts of the machine, once in each home folder
def test_a_trend_is_drawn_as_png(tmp_path: Path) -> None:
    plot([point(10), point(7, "judge"), point(9)], tmp_path / "t.png", "t")
    assert (tmp_path / "t.png").read_bytes().startswith(b"\x89PNG")


def test_markdown_gets_a_mermaid_chart_with_the_marks_below() -> None:
    text = trend_report([point(10), point(7, "judge")], "md")
    assert "```mermaid\nxychart-beta\n" in text
    assert "    line [100.0, 70.0]\n```\n- 2026-05-30 12:00: judge changed\n" in text
    assert '"passed, %" 60 --> 100' in text
    assert mermaid([point(10)]) == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("form", ["parquet", "csv", "jsonl"])
def test_exported_files_give_the_numbers_of_the_views(
    store: Located, tmp_path: Path, form: str
) -> None:
    with connect.writing(store.database) as conn:
        conn.execute("UPDATE run SET started_at = '2024-02-01T00:00:00.000Z' WHERE id > 25")
    made = [*export_results(store, tmp_path / "out", form, write_table)]
    assert [path.parent.name for path, _ in made] == ["month=2024-01", "month=2024-02"]
    read = {"parquet": "read_parquet", "csv": "read_csv", "jsonl": "read_json"}[form]
    columns = "agent, layer, count(*), sum((verdict = 'pass')::int), sum(reused::int)"
    sql = f"SELECT {columns} FROM {read}('{tmp_path}/out/*/*.{form}') GROUP BY 1, 2 ORDER BY 1, 2"
    with duckdb.connect() as outside:
        found = outside.execute(sql).fetchall()
    with connect.reading(store.database) as conn:
        expected = conn.execute(
            "SELECT agent, layer, sum(results), sum(passed), sum(reused) FROM v_trend"
            " GROUP BY 1, 2 ORDER BY 1, 2"
        ).fetchall()
    assert [tuple(row) for row in expected] == found
    later = [*export_results(store, tmp_path / "late", form, write_table, since="2024-02")]
    assert len(later) == 1


def test_an_export_of_nothing_is_no_success(store: Located, tmp_path: Path) -> None:
    with pytest.raises(EmptySelectionError):
        next(export_results(store, tmp_path, "csv", write_table, since="2030-01"))
    with pytest.raises(UsageError, match="is no month"):
        next(export_results(store, tmp_path, "csv", write_table, since="spring"))


def test_an_export_keeps_the_files_of_what_was_pruned_since(store: Located, tmp_path: Path) -> None:
    ((path, count),) = export_results(store, tmp_path / "out", "csv", write_table)
    text = path.read_text()
    prune(store.database, Keep(newest=1), dry_run=False)
    with pytest.raises(UsageError, match=r"results\.csv was not replaced: runs in it were pruned"):
        next(export_results(store, tmp_path / "out", "csv", write_table))
    assert path.read_text() == text
    ((_, left),) = export_results(store, tmp_path / "new", "csv", write_table)
    assert 0 < left < count


def test_a_parquet_export_without_pyarrow_leaves_no_folder(
    store: Located, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match="need pyarrow"):
        next(export_results(store, tmp_path / "out", "parquet", write_table))
    assert not (tmp_path / "out").exists()


def test_the_cookbook_has_fifteen_recipes() -> None:
    assert len(RECIPES) == 15


@pytest.mark.parametrize("sql", RECIPES, ids=[recipe.split("FROM ")[1][:24] for recipe in RECIPES])
def test_a_recipe_of_the_cookbook_answers(store: Located, sql: str) -> None:
    with connect.reading(store.database) as conn:
        runs = [row[0] for row in conn.execute("SELECT ulid FROM run ORDER BY id")]
        (judged,) = conn.execute("SELECT case_id FROM v_judge_step LIMIT 1").fetchone()
    known = {
        "before": runs[0],
        "after": runs[-1],
        "run": runs[0],
        "agent": "agent_03",
        "case": judged if ":run" in sql else "case_00001",
        "topic": "topic.1",
    }
    result = query(store.database, sql, {k: v for k, v in known.items() if f":{k}" in sql})
    may_be_empty = ("v_disagreement", "v_coverage_gap", "v_unstable", "topic", "v_baseline_diff",
                    "verdict IN ('fail'")  # fmt: skip
    assert result.rows or any(part in sql for part in may_be_empty)


def test_views_are_listed_with_their_headers() -> None:
    text = views_text("v_coverage_gap")
    assert text.startswith("v_coverage_gap\n  What the policy requires and is missing")
    assert "\n    missing   How many are still to be added or renewed.\n" in text
    assert len(views_text().split("\n\n")) >= 12


def test_the_prompt_completes_views_and_columns() -> None:
    complete = completer(["v_trend", "v_case", "verdict", "v_trend"])
    assert [complete("v_", n) for n in range(3)] == ["v_trend", "v_case", None]
    assert complete("VER", 0) == "verdict"


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_on_a_terminal_sql_is_a_prompt_with_history(store: Located, tmp_path: Path) -> None:
    main, other = pty.openpty()
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "TERM": "dumb"}
    with subprocess.Popen(
        [sys.executable, "-m", "jw_eval_cli", "sql", "--db", str(store.database)],
        stdin=other, stdout=other, stderr=other, env=environment, close_fds=True,
    ) as process:  # fmt: skip
        os.close(other)
        lines = b".format csv\nselect count(*)\n as n from v_case;\ndelete from run;\n.quit\n"
        text = _conversation(main, lines)
    os.close(main)
    assert process.returncode == 0
    assert "n\n220\n" in text
    assert "jw-eval: " in text
    assert " as n from v_case;" in (tmp_path / "jw-eval" / "sql_history").read_text()


def _conversation(terminal: int, lines: bytes) -> str:
    """Write lines, and read up to the end."""
    os.write(terminal, lines)
    said = b""
    with contextlib.suppress(OSError):  # Linux says so when the other side is closed
        while part := os.read(terminal, 4096):
            said += part
    return said.decode().replace("\r", "")


@pytest.mark.parametrize("form", ["table", "csv", "json", "markdown"])
def test_sql_answers_in_each_format(store: Located, form: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "jw_eval_cli", "sql", "--db", str(store.database),
         "--format", form, "-p", "a=agent_03",
         "select agent, count(*) as cases from v_case where agent = :a"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    if form == "json":
        assert json.loads(done.stdout) == [{"agent": "agent_03", "cases": 11}]
    elif form == "csv":
        assert [*csv.reader(io.StringIO(done.stdout))] == [["agent", "cases"], ["agent_03", "11"]]
    else:
        assert done.stdout.splitlines()[-1].replace("\\", "").strip("| ").split() in (
            ["agent_03", "11"],
            ["agent_03", "|", "11"],
        )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("command", LIGHT, ids=lambda command: str(command[0]))
def test_reading_commands_import_neither_pydantic_nor_sqlalchemy(
    store: Located, command: tuple[str, ...]
) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "jw_eval_cli", *command,
         "--db", str(store.database)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "sqlite3" in imported
    assert not imported & {"pydantic", "sqlalchemy", "alembic", "numpy"}


def test_the_database_is_found_as_the_whole_configuration_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from jw_eval_store.config import load_config

    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    folder = tmp_path / "project" / "below"
    folder.mkdir(parents=True)

    def same(db: str | None = None, **environ: str) -> Path:
        found = locate(db, folder, environ)
        assert found.database == load_config(folder, {"db": db}, environ).database
        return found.database

    assert same() == folder / ".jw-eval" / "results.db"
    (tmp_path / "xdg" / "jw-eval").mkdir(parents=True)
    (tmp_path / "xdg" / "jw-eval" / "jw-eval.toml").write_text('db = "/own.db"\n')
    assert same() == Path("/own.db")
    (tmp_path / "project" / "jw-eval.toml").write_text('db = "of_project.db"\njobs = 2\n')
    assert same() == tmp_path / "project" / "of_project.db"
    assert same(JW_EVAL_DB="by_variable.db") == folder / "by_variable.db"
    assert same("by_flag.db", JW_EVAL_DB="x.db") == folder / "by_flag.db"
    (tmp_path / "project" / "jw-eval.toml").write_text("db = 3\n")
    with pytest.raises(UsageError, match=r"jw-eval\.toml: db: not a path \(got 3\)"):
        locate(None, folder, {})
