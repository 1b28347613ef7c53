"""From configuration to judges: which client, which strategy. Nothing external unless by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.judging import JudgeSpec
from jw_eval_store.domain.settings import JudgeSettings
from jw_eval_store.judges.asking import Asker
from jw_eval_store.judges.budget import Budget
from jw_eval_store.judges.clients.http import is_local
from jw_eval_store.judges.clients.none import NoClient
from jw_eval_store.judges.interface import LlmClient, ReplyCache
from jw_eval_store.judges.judge import Judge
from jw_eval_store.judges.retrying import RetryPolicy
from jw_eval_store.judges.strategies.claims import ClaimsStrategy
from jw_eval_store.judges.strategies.g_eval import GEval, GEvalStrategy
from jw_eval_store.judges.strategies.graph.load import find_graph
from jw_eval_store.judges.strategies.graph.strategy import GraphStrategy
from jw_eval_store.judges.strategies.interface import Strategy
from jw_eval_store.judges.strategies.verdict import VerdictStrategy


def make_client(settings: JudgeSettings, env: Mapping[str, str]) -> LlmClient:
    """The client that the settings name; `env` is only asked for keys and OLLAMA_HOST.

    Reaches nothing yet. Raises UsageError for a missing library or key, or an address that the
    settings don't name.
    """
    makers = {"ollama": _ollama, "openai": _openai, "claude": _claude}
    maker = makers.get(settings.llm)
    return maker(settings, env) if maker else NoClient()


def make_asker(
    client: LlmClient,
    settings: JudgeSettings,
    *,
    cache: ReplyCache | None = None,
    fresh: bool = False,
    retries: RetryPolicy | None = None,
) -> Asker:
    """What all judges of a run share: client, reply cache, the run's budget, retries."""
    budget = Budget(
        "run", settings.calls_per_run, settings.tokens_per_run, settings.seconds_per_run
    )
    return Asker(client, cache=cache, run_budget=budget, retries=retries, fresh=fresh)


def make_judge(
    spec: JudgeSpec, asker: Asker, settings: JudgeSettings, folder: Path | None = None
) -> Judge:
    """The judge that a case asks for; `folder` is where a graph's file is looked for.

    Raises UsageError for a graph that is not there, not sound, or can't both pass and fail.
    """
    return Judge(
        make_strategy(spec, settings, folder),
        asker,
        calls_per_case=settings.calls_per_case,
        language=settings.language,
    )


def make_strategy(spec: JudgeSpec, settings: JudgeSettings, folder: Path | None = None) -> Strategy:
    """The strategy of a case, checked as far as it can be without a model. Raises UsageError."""
    if spec.strategy == "verdict" or spec.pass_at is None:
        return VerdictStrategy()
    if spec.strategy == "claims":
        return ClaimsStrategy(spec.pass_at)
    if spec.strategy == "g_eval":
        low, high = spec.score_range
        scale = GEval(spec.criteria, spec.evaluation_steps, low=low, high=high, strict=spec.strict)
        return GEvalStrategy(scale, spec.pass_at)
    graph = find_graph(spec.graph or "", folder)
    return GraphStrategy(graph, spec.pass_at, settings.soft_calls if settings.soft else None)


def _ollama(settings: JudgeSettings, env: Mapping[str, str]) -> LlmClient:
    from jw_eval_store.judges.clients.ollama import DEFAULT_MODEL, DEFAULT_URL, OllamaClient

    model = settings.model or DEFAULT_MODEL
    url = settings.url or env.get("OLLAMA_HOST") or DEFAULT_URL
    if settings.url is None and not is_local(url):
        raise UsageError(
            f"OLLAMA_HOST leads to {url}, outside this machine, and would be sent the answers",
            hint="name it in JW_EVAL_LLM_URL if that is meant",
        )
    if model.endswith(("-cloud", ":cloud")):
        raise UsageError(
            f"Ollama runs {model} on its makers' servers, outside this machine",
            hint="choose a model that runs here, or an external judge by name",
        )
    return OllamaClient(
        model,
        url,
        timeout=settings.timeout,
        first_token_timeout=settings.first_token_timeout,
    )


def _openai(settings: JudgeSettings, env: Mapping[str, str]) -> LlmClient:
    from jw_eval_store.judges.clients.openai import OpenAiClient

    key = env.get("OPENAI_API_KEY")
    if not key and settings.url is None:
        raise UsageError(
            "JW_EVAL_LLM=openai needs a key", hint="set OPENAI_API_KEY, or JW_EVAL_LLM_URL"
        )
    return OpenAiClient(
        settings.model,
        settings.url,
        key=key,
        timeout=settings.timeout,
        first_token_timeout=settings.first_token_timeout,
    )


def _claude(settings: JudgeSettings, env: Mapping[str, str]) -> LlmClient:
    from jw_eval_store.judges.clients.claude import ClaudeClient

    key = env.get("ANTHROPIC_API_KEY")
    if not key and settings.url is None:
        raise UsageError("JW_EVAL_LLM=claude needs a key", hint="set ANTHROPIC_API_KEY")
    return ClaudeClient(settings.model, settings.url, key=key, timeout=settings.timeout)
