"""From configuration to judges, and nothing leaves the machine unless it was named."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.judging import JudgeSpec
from jw_eval_store.domain.settings import JudgeSettings
from jw_eval_store.judges.clients.http import is_local, refusal, shown_url
from jw_eval_store.judges.factory import make_asker, make_client, make_judge
from jw_eval_store.judges.interface import LlmClient
from tests.judges.fakes import JUDGEMENT, FakeClient, said, verdict

SECRET = "sk-very-secret-0123456789"


def client(env: dict[str, str] | None = None, **settings: Any) -> LlmClient:
    return make_client(JudgeSettings(**settings), env or {})


def test_the_default_is_a_local_ollama() -> None:
    with client() as made:
        assert (made.name, made.model, made.external) == ("ollama", "llama3.1:8b", False)


def test_no_judge_is_a_choice() -> None:
    settings = JudgeSettings(llm="none")
    judge = make_judge(JudgeSpec(), make_asker(make_client(settings, {}), settings), settings)
    judged = judge(JUDGEMENT)
    assert (judged.verdict, judged.reason_code) == (None, "no_judge")
    assert judge.label == "none verdict"
    assert judge.identity()["model"] == {"client": "none"}


@pytest.mark.parametrize("host", ["gpu-box:11434", "http://192.0.2.7:11434", "https://ollama.com"])
def test_ollama_s_own_variable_leads_nowhere_outside_by_itself(host: str) -> None:
    with pytest.raises(UsageError, match="JW_EVAL_LLM_URL"):
        client({"OLLAMA_HOST": host})
    with client({"OLLAMA_HOST": host}, url="http://192.0.2.7:11434") as made:
        assert made.name == "ollama"


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1:9999", "localhost:1", "http://[::1]:11434"])
def test_ollama_s_own_variable_is_heeded_at_home(host: str) -> None:
    with client({"OLLAMA_HOST": host}) as made:
        assert made.name == "ollama"


@pytest.mark.parametrize("model", ["gpt-oss:120b-cloud", "glm-4.6:cloud"])
def test_models_that_ollama_runs_elsewhere_are_refused(model: str) -> None:
    with pytest.raises(UsageError, match="outside this machine"):
        client(model=model)


@pytest.mark.parametrize(("llm", "variable"), [("openai", "OPENAI"), ("claude", "ANTHROPIC")])
def test_external_judges_need_their_key_and_never_show_it(llm: str, variable: str) -> None:
    pytest.importorskip({"openai": "openai", "claude": "anthropic"}[llm])
    with pytest.raises(UsageError, match=f"{variable}_API_KEY"):
        client(llm=llm)
    with client({f"{variable}_API_KEY": SECRET}, llm=llm) as made:
        assert made.external
        shown = [repr(made), str(vars(made))]
        assert not any(SECRET in text for text in shown)


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("http://127.0.0.1:8080/v1", True),
        ("https://judge.example/v1", True),
        ("http://judge.example/v1", False),
    ],
)
def test_a_key_is_not_sent_in_the_clear_to_another_machine(url: str, sent: bool) -> None:
    pytest.importorskip("openai")
    with client({"OPENAI_API_KEY": SECRET}, llm="openai", url=url, model="m") as made:
        key = made._client.api_key  # type: ignore[attr-defined]
        assert (key == SECRET) is sent


@pytest.mark.parametrize(("llm", "library"), [("openai", "openai"), ("claude", "anthropic")])
def test_a_missing_library_is_named_with_its_extra(
    llm: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(UsageError, match=re.escape(f"jw-eval-store[{llm}]")):
        client({"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}, llm=llm)


def test_addresses_are_shown_without_credentials() -> None:
    assert shown_url("https://user:secret@host:8/v1/?key=x#y") == "https://host:8/v1"


def test_what_is_local_is_told_from_the_address() -> None:
    assert all(map(is_local, ["http://localhost", "http://127.9.9.9:1/x", "http://a.localhost"]))
    assert not any(map(is_local, ["http://localhost.example", "http://127.0.0.1.example", "x"]))


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("3", 3.0), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("soon", None), (None, None)],
)
def test_retry_after_is_read_in_both_its_forms(header: str | None, seconds: float | None) -> None:
    headers = {} if header is None else {"retry-after": header}
    assert refusal("s", 429, "busy", headers).retry_after == seconds


STRATEGIES: dict[str, dict[str, Any]] = {
    "verdict": {},
    "claims": {"pass_at": 0.8},
    "g_eval": {"pass_at": 0.8, "evaluation_steps": ["Compare."]},
    "graph": {"pass_at": 0.8, "graph": "fidelity"},
}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_has_an_identity_of_its_own(strategy: Any) -> None:
    settings = JudgeSettings()
    asker = make_asker(FakeClient([]), settings)
    identities = []
    for name, options in STRATEGIES.items():
        spec = JudgeSpec.model_validate({"strategy": name, **options})
        judge = make_judge(spec, asker, settings)
        identities.append(judge.identity())
    mine = next(i for i in identities if i["strategy"] == strategy)
    assert identities.count(mine) == 1
    assert mine["model"] == {"client": "fake", "model": "fake-1", "digest": "sha256:f"}
    assert mine["prompts_hash"].startswith("sha256:")


@pytest.mark.parametrize(
    "change",
    [
        {"pass_at": 0.9},
        {"criteria": "Fidelity", "evaluation_steps": []},
        {"evaluation_steps": ["Count."]},
        {"strict": True},
        {"score_range": [1, 5]},
    ],
)
def test_whatever_changes_a_score_changes_the_identity(change: dict[str, Any]) -> None:
    settings = JudgeSettings()
    asker = make_asker(FakeClient([]), settings)
    spec = {"strategy": "g_eval", **STRATEGIES["g_eval"]}
    before = make_judge(JudgeSpec.model_validate(spec), asker, settings).identity()
    after = make_judge(JudgeSpec.model_validate(spec | change), asker, settings).identity()
    assert before != after


@pytest.mark.parametrize("strategy", ["claims", "g_eval", "graph"])
def test_a_threshold_is_required(strategy: str) -> None:
    options = {**STRATEGIES[strategy], "strategy": strategy}
    del options["pass_at"]
    with pytest.raises(ValidationError, match="pass_at"):
        JudgeSpec.model_validate(options)
    with pytest.raises(ValidationError):
        JudgeSpec.model_validate({**options, "pass_at": 0})


@pytest.mark.parametrize(
    "options",
    [
        {"criteria": "x"},
        {"strategy": "claims", "pass_at": 0.5, "strict": True},
        {"strategy": "g_eval", "pass_at": 0.5},
        {"strategy": "g_eval", "pass_at": 0.5, "criteria": "x", "score_range": [5, 5]},
    ],
)
def test_what_a_strategy_does_not_know_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        JudgeSpec.model_validate(options)


def test_a_graph_is_looked_for_beside_the_case(tmp_path: Path) -> None:
    spec = JudgeSpec(strategy="graph", graph="mine.yaml", pass_at=0.5)
    asker = make_asker(FakeClient([]), JudgeSettings())
    with pytest.raises(UsageError, match=re.escape("mine.yaml")):
        make_judge(spec, asker, JudgeSettings(), tmp_path)


def test_the_budget_per_case_is_the_settings() -> None:
    settings = JudgeSettings(calls_per_case=1)
    fake = FakeClient(["[]"])
    judged = make_judge(JudgeSpec(), make_asker(fake, settings), settings)(JUDGEMENT)
    assert (judged.verdict, judged.reason_code) == (None, "judge_budget")
    assert "calls_per_case" in judged.reasons[0]


@pytest.mark.parametrize(
    ("case", "setting", "spanish"),
    [("es", None, True), ("es-MX", None, True), ("pt", None, False), ("en", "es", True)],
)
def test_prompts_follow_the_case_s_language_or_the_setting(
    case: str, setting: Any, spanish: bool
) -> None:
    from dataclasses import replace

    settings = JudgeSettings(language=setting)
    fake = FakeClient([said(verdict="pass", reason="x")])
    judge = make_judge(JudgeSpec(), make_asker(fake, settings), settings)
    judge(replace(JUDGEMENT, language=case))
    assert ("Eres un juez" in fake.asked[0].prompt) is spanish


def test_soft_scores_are_computed_where_asked_for() -> None:
    fake = FakeClient([verdict("fail", {"fail": 0.7, "pass": 0.3})])
    judged = make_judge(JudgeSpec(), make_asker(fake, JudgeSettings()), JudgeSettings())(JUDGEMENT)
    assert (judged.verdict, judged.score, judged.soft_score) == ("fail", 0.0, 0.3)
    assert judged.steps[0].margin == pytest.approx(0.4)
