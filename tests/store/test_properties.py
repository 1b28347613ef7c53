"""Whatever happens to a store in whatever order: it stays sound, and its counts agree."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from jw_eval_store.domain.cases import parse_case
from jw_eval_store.domain.evaluations import VERDICTS, LayerResult, Verdict
from jw_eval_store.domain.evidence import Evidence, Passage
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.domain.selections import Selection
from jw_eval_store.store import connect
from jw_eval_store.store.cases import (
    archive_case,
    find_case,
    load_cases,
    put_case,
    select_cases,
)
from jw_eval_store.store.check import check
from jw_eval_store.store.connect import transaction
from jw_eval_store.store.coverage import substance
from jw_eval_store.store.evaluations import NewEvaluation, put_evaluations
from jw_eval_store.store.evidence import NewSnapshot, cited_evidence, put_snapshot
from jw_eval_store.store.runs import end_run, plan_results, start_run
from jw_eval_store.store.setups import SetupParts, StoredFingerprint, setup_key

NAMES = st.sampled_from(["a", "b", "c"])
PAGE = "https://wol.jw.org/en/wol/b/r1/lp-e/nwtsty/43/3"


class Life(RuleBasedStateMachine):
    """Cases are edited and archived, pages change, runs judge, reuse or leave out."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "results.db"
        self.conn = connect.open_for_writing(self.path)
        self.verdicts: Counter[str] = Counter()

    def teardown(self) -> None:
        self.conn.close()
        self.folder.cleanup()

    @rule(name=NAMES, number=st.integers(1, 2), layer=st.sampled_from(["l1", "l2"]))
    def edit(self, name: str, number: int, layer: str) -> None:
        expected: dict[str, object] = {"min_findings": number}
        if layer == "l2":
            expected = {"expected_citations": [PAGE], "support_phrases": [f"phrase {number}"]}
        case = {"id": name, "agent": "alpha", "layer": layer, "input": {"q": "é"}}
        with transaction(self.conn):
            put_case(
                self.conn, parse_case(case | {"expected": expected}), f"{number}{layer}", "edit"
            )

    @rule(name=NAMES)
    def archive(self, name: str) -> None:
        row = find_case(self.conn, name)
        if row is not None:
            with transaction(self.conn):
                archive_case(self.conn, row)

    @rule(text=st.text(st.characters(codec="utf-8"), max_size=5))
    def change_page(self, text: str) -> None:
        evidence = Evidence(PAGE, "captured", (Passage("v43:3:16", text),))
        with transaction(self.conn):
            put_snapshot(
                self.conn, NewSnapshot(evidence, PAGE, f"<p>{text}</p>", connect.now(), "1")
            )

    @rule(verdicts=st.lists(st.sampled_from((*VERDICTS, None)), min_size=3, max_size=3))
    def run(self, verdicts: list[Verdict | None]) -> None:
        cases = select_cases(self.conn, Selection(), bundled=False)
        with transaction(self.conn):
            run = start_run(
                self.conn, {}, bundled=False, git=None, tool_version="1", policy=None
            ).key
            plan_results(self.conn, run, [(case.key, None) for case in cases])
            fingerprint = StoredFingerprint("alpha", "sha256:f", "configuration", {})
            for case, verdict in zip(cases, verdicts, strict=False):
                self.verdicts[verdict or "not_run"] += 1
                if verdict is not None:
                    result = LayerResult(case_id=case.case_id, layer=case.layer, verdict=verdict)
                    new = NewEvaluation(
                        run=run,
                        case=case.key,
                        revision=case.revision,
                        setup=setup_key(
                            self.conn, SetupParts("alpha", case.layer, "1", fingerprint)
                        ),
                        result=result,
                        evidence=cited_evidence(self.conn, case.revision),
                        output=AgentOutput(query=case.case_id),
                    )
                    put_evaluations(self.conn, [new])
            end_run(self.conn, run, status="finished", gate="passed", exit_code=0, notices={})

    @invariant()
    def is_sound(self) -> None:
        assert check(self.path) == []

    @invariant()
    def counts_agree(self) -> None:
        rows = self.conn.execute(
            "SELECT coalesce(verdict, 'not_run'), count(*) FROM v_result GROUP BY 1"
        )
        assert dict(rows.fetchall()) == dict(self.verdicts)
        counts = "total(passed), total(failed), total(skipped), total(errors)"
        expected = tuple(
            self.verdicts[verdict] + (self.verdicts["not_run"] if verdict == "error" else 0)
            for verdict in VERDICTS
        )
        for view in ("v_run_summary", "v_trend"):
            found = self.conn.execute(f"SELECT {counts} FROM {view}").fetchone()
            assert tuple(found) == expected

    @invariant()
    def coverage_counts_each_current_substance(self) -> None:
        rows = select_cases(self.conn, Selection(), bundled=False)
        cases = load_cases(self.conn, [row.revision for row in rows]).values()
        current = len({substance(case.definition()) for case in cases})
        judged = "total(passing + failing + undecided + not_run)"
        (covered,) = self.conn.execute(f"SELECT {judged} FROM v_agent_coverage").fetchone()
        assert covered == current


TestLife = Life.TestCase
TestLife.settings = settings(
    max_examples=25, stateful_step_count=12, deadline=None, derandomize=True
)
