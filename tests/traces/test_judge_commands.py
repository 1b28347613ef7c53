"""`jw-eval judge`: tried out in words, drawn, calibrated."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from jw_eval_store.config import load_config
from jw_eval_store.judges.profiles import shipped_profiles
from jw_eval_store.runs.judge_tools import with_judge
from jw_eval_store.store.connect import transaction, writing
from jw_eval_store.store.profiles import put_profile
from tests.judges.servers import Reply, ScriptedServer, scripted_server
from tests.traces.conftest import Invoke

PAIRS = Path(__file__).parent.parent / "guard" / "doctrine_pairs.jsonl"
YES = '{"verdict": "yes", "reason": "a river is water"}'


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted_server() as running:
        yield running


def check(invoke: Invoke, server: ScriptedServer) -> tuple[int, str]:
    env = {"JW_EVAL_LLM": "ollama", "JW_EVAL_LLM_URL": server.url}
    result = invoke("judge", "check", env=env)
    return result.exit_code, result.stdout


def test_a_judge_that_can_judge_is_described(invoke: Invoke, server: ScriptedServer) -> None:
    server.will_answer(Reply(YES))
    code, said = check(invoke, server)
    assert code == 0
    assert "ollama answers with llama3.1:8b, digest 46e0c10c039e" in said
    assert "true to the schema (it said yes)" in said
    assert "no log-probabilities" in said
    assert "a short question took" in said
    assert said.endswith("it can judge\n")


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply("Yes, it is."), "not true to the schema"),
        (Reply(status=500, error="boom"), "boom"),
        (Reply(status=404, error="model not found"), "next: "),
    ],
)
def test_a_judge_that_can_not_exits_with_3(
    invoke: Invoke, server: ScriptedServer, reply: Reply, words: str
) -> None:
    server.will_answer(reply)
    code, said = check(invoke, server)
    assert code == 3
    assert words in said
    assert said.endswith("it can NOT judge\n")


@pytest.mark.parametrize("llm", ["none", "openai", "claude"])
def test_what_is_missing_is_said_with_the_next_step(invoke: Invoke, llm: str) -> None:
    keys = {"OPENAI_API_KEY": "", "ANTHROPIC_API_KEY": ""}
    result = invoke("judge", "check", env={"JW_EVAL_LLM": llm, **keys})
    assert result.exit_code == 3
    assert "next: set " in result.stdout


def test_a_graph_is_drawn(invoke: Invoke, tmp_path: Path) -> None:
    tree = invoke("judge", "show", "fidelity").stdout
    assert tree.startswith("fidelity: rules first")
    assert "contradiction [binary] Does the candidate deny" in tree
    assert "¿Niega" in invoke("judge", "show", "fidelity", "--language", "es").stdout
    assert invoke("judge", "show", "fidelity", "--mermaid").stdout.startswith("flowchart TD\n")
    (tmp_path / "bad.yaml").write_text("graph: bad\nstart: a\nnodes: {a: {kind: binary}}\n")
    unsound = invoke("judge", "show", "bad.yaml")
    assert (unsound.exit_code, "node 'a'" in unsound.stderr) == (2, True)
    assert "fidelity" in invoke("judge", "show", "nothing").stderr


def profiles(invoke: Invoke) -> list[dict[str, Any]]:
    """Those of embedders."""
    known = json.loads(invoke("judge", "profiles", "--format", "json").stdout)
    return [one for one in known if "profile" in one]


def test_a_calibration_is_drawn_stored_and_in_force(invoke: Invoke, tmp_path: Path) -> None:
    done = invoke("judge", "calibrate", "--pairs", str(PAIRS), "--svg", "curve.svg")
    assert done.exit_code == 0, done.output
    assert "threshold   true pairs passed" in done.stdout
    assert "<- " in done.stdout
    assert "95 % interval" in done.stdout
    assert ElementTree.parse(tmp_path / "curve.svg").getroot().tag.endswith("svg")
    known = profiles(invoke)
    assert [(p["origin"], p["in_force"]) for p in known] == [
        ("calibrated", True),
        ("shipped", False),
    ]
    provenance = known[0]["profile"]["provenance"]
    assert (provenance["file"], provenance["wanted_rate"]) == (PAIRS.name, 0.01)
    assert provenance["file_hash"].startswith("sha256:")
    assert f"calibrated ({PAIRS.name})" in invoke("judge", "profiles").stdout


def test_pairs_that_are_no_use_change_nothing(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("reference,text,label,language\na,b,perhaps,es\n")
    refused = invoke("judge", "calibrate", "--pairs", "pairs.csv")
    assert (refused.exit_code, "line 2" in refused.stderr) == (2, True)
    assert invoke("judge", "calibrate", "--pairs", "nothing.csv").exit_code == 2
    assert (
        invoke("judge", "calibrate", "--pairs", "pairs.csv", "--false-passes", "1").exit_code == 2
    )
    shown = invoke("judge", "profiles").stdout
    assert "shipped" in shown
    assert "calibrated" not in shown


def keep(tmp_path: Path, pass_at: float) -> str:
    """Calibrate the shipped profile's embedder otherwise; gives the id that is listed."""
    (shipped,) = shipped_profiles()
    made = shipped.model_copy(update={"pass_at": pass_at, "provenance": {"file": "mine.csv"}})
    with writing(tmp_path / "results.db") as conn, transaction(conn):
        put_profile(conn, made)
    return made.profile_hash.removeprefix("sha256:")[:12]


def test_a_calibration_is_forgotten_after_it_was_said_what_rests_on_it(
    invoke: Invoke, tmp_path: Path
) -> None:
    (shipped,) = shipped_profiles()
    first, second = keep(tmp_path, 0.9), keep(tmp_path, 0.91)
    invoke("run", "--bundled", "--layer", "3", "--case", "l3_apologetics_trinity_basic_es")
    said = invoke("judge", "forget", second)
    assert said.exit_code == 0, said.output
    assert f"the calibration {second} of {shipped.embedder.label} on mine.csv" in said.stdout
    assert " ".join(said.stdout.splitlines()[2].split()) == (
        f"- - 0.91 {shipped.reject:g} 0.9 {shipped.reject:g}"
    )
    assert "1 verdict on 1 case made under it, which stay" in said.stdout
    assert said.stdout.endswith("nothing was removed; do it with --yes\n")
    assert len(profiles(invoke)) == 3

    assert invoke("judge", "forget", f"sha256:{second}", "--yes").stdout.endswith("removed\n")
    assert [(p["id"][7:19], p["in_force"]) for p in profiles(invoke)] == [
        (first, True),
        (shipped.profile_hash[7:19], False),
    ]
    assert second not in invoke("judge", "profiles").stdout
    (count,) = invoke("sql", "select count(*) from v_result", "--format", "csv").stdout.split()[1:]
    assert count == "1"
    unused = invoke("judge", "forget", first, "--yes").stdout
    assert "no stored verdict was made under it" in unused
    assert profiles(invoke)[0]["in_force"] is True


def test_an_earlier_calibration_is_forgotten_and_nothing_changes(
    invoke: Invoke, tmp_path: Path
) -> None:
    first, _ = keep(tmp_path, 0.9), keep(tmp_path, 0.91)
    assert "it is not in force, so the thresholds stay" in invoke("judge", "forget", first).stdout


def test_what_can_not_be_forgotten_is_said(invoke: Invoke, tmp_path: Path) -> None:
    (shipped,) = shipped_profiles()
    assert invoke("judge", "forget", "0123").exit_code == 3
    keep(tmp_path, 0.9)
    refused = invoke("judge", "forget", shipped.profile_hash, "--yes")
    assert (refused.exit_code, "was shipped, and is not stored" in refused.stderr) == (2, True)
    for name in ("sha256:", "xyz"):
        refused = invoke("judge", "forget", name, "--yes")
        assert (refused.exit_code, "next: see: jw-eval judge profiles" in refused.stderr) == (
            2,
            True,
        )
    assert len(profiles(invoke)) == 2


def test_nobody_reviewed_yet_is_said_with_the_next_step(invoke: Invoke) -> None:
    invoke("run", "--bundled", "--case", "l1_apologetics_trinity_es")
    assert "next: jw-eval review" in invoke("judge", "agreement").stdout
    assert json.loads(invoke("judge", "agreement", "--format", "json").stdout) == []


def test_model_and_url_stay_with_the_judge_they_were_set_for(tmp_path: Path) -> None:
    (tmp_path / "jw-eval.toml").write_text('[judge]\nmodel = "a"\nurl = "http://127.0.0.1:1"\n')
    config = load_config(tmp_path, environ={})

    def judge(*asked: str | None) -> tuple[str, str | None, str | None]:
        made = with_judge(config, *asked).settings.judge  # type: ignore[arg-type]  # bad names too
        return made.llm, made.model, made.url

    assert judge(None) == judge("ollama") == ("ollama", "a", "http://127.0.0.1:1")
    assert judge("ollama", "b") == ("ollama", "b", "http://127.0.0.1:1")
    assert judge("openai") == ("openai", None, None)
    assert judge("openai", "m", "http://x") == ("openai", "m", "http://x")
    variables = load_config(tmp_path, environ={"JW_EVAL_LLM_MODEL": "v"})
    assert with_judge(variables, "openai").settings.judge.model == "v"
