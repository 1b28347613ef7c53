"""Embedders behind HTTP: whole texts, errors in words, and no key where it does not belong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np
import pytest

from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.judges.embedders.ollama import OllamaEmbedder
from jw_eval_store.judges.embedders.openai_compatible import OpenAiEmbedder
from tests.embeddings.servers import Server, serving

WINDOW = 4


def ollama(path: str, body: dict[str, Any]) -> tuple[int, object]:
    """Ollama's `/api/*` with one model that reads four words at once."""
    if path == "/api/tags":
        return 200, {"models": [{"model": "mini:latest", "digest": "abc123"}]}
    if body.get("model") != "mini":
        return 404, {"error": f'model "{body.get("model")}" not found'}
    if path == "/api/show":
        return 200, {"model_info": {"bert.context_length": 512}}
    if len(body["input"].split()) > WINDOW:
        assert body["truncate"] is False
        return 400, {"error": "the input length exceeds the context length"}
    return 200, {"model": "mini", "embeddings": [[1.0, len(body["input"]), 0.5]]}


def openai(path: str, body: dict[str, Any]) -> tuple[int, object]:
    """A llama.cpp server's `/v1/embeddings` that reads four words at once."""
    if body["model"] != "mini":
        return 404, {"error": {"message": "no such model"}}
    if len(body["input"].split()) > WINDOW:
        return 500, {"error": {"message": "input is too large to process"}}
    return 200, {"data": [{"embedding": [1, len(body["input"]), 0.5]}]}


@pytest.fixture
def ollama_server() -> Iterator[Server]:
    with serving(ollama) as server:
        yield server


@pytest.fixture
def openai_server() -> Iterator[Server]:
    with serving(openai) as server:
        yield server


def test_ollama_is_identified_by_its_weights(ollama_server: Server) -> None:
    with closing(OllamaEmbedder("mini", ollama_server.url)) as embedder:
        identity = embedder.identity
    assert identity.label == "ollama/mini (abc123)"
    assert (identity.dimension, identity.window) == (3, 512)


@pytest.mark.parametrize("kind", ["ollama", "openai"])
def test_a_text_over_the_window_is_sent_in_parts(
    kind: str, ollama_server: Server, openai_server: Server
) -> None:
    text = "uno dos tres cuatro cinco seis siete ocho nueve"
    server = ollama_server if kind == "ollama" else openai_server
    make = OllamaEmbedder if kind == "ollama" else OpenAiEmbedder
    with closing(make("mini", server.url)) as embedder:
        vectors = embedder.embed([text, "uno"])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    parts = [body["input"] for _, body, _ in server.asked if len(body["input"].split()) <= WINDOW]
    assert " ".join(parts) == f"{text} uno"


def test_a_model_that_ollama_lacks_is_refused_with_the_next_step(ollama_server: Server) -> None:
    with (
        closing(OllamaEmbedder("big", ollama_server.url)) as embedder,
        pytest.raises(UsageError, match="ollama pull big"),
    ):
        embedder.embed(["uno"])


@pytest.mark.parametrize("make", [OllamaEmbedder, OpenAiEmbedder])
def test_nobody_listening_is_an_infrastructure_error(
    make: type[OllamaEmbedder | OpenAiEmbedder],
) -> None:
    with (
        closing(make("mini", "http://127.0.0.1:9")) as embedder,
        pytest.raises(InfrastructureError, match="can't be reached"),
    ):
        embedder.embed(["uno"])


def test_a_slow_server_is_given_up(openai_server: Server) -> None:
    import threading

    waiting = threading.Event()

    def slow(path: str, body: dict[str, Any]) -> tuple[int, object]:
        waiting.wait(5)
        return openai(path, body)

    with serving(slow) as server:
        embedder = OpenAiEmbedder("mini", server.url, timeout=0.2)
        with closing(embedder), pytest.raises(InfrastructureError, match="can't be reached"):
            embedder.embed(["uno"])
        waiting.set()


@pytest.mark.parametrize("reply", [b"<html>", {"data": []}, {"data": [{"embedding": "no"}]}])
def test_a_reply_without_a_vector_is_refused(reply: object) -> None:
    with serving(lambda path, body: (200, reply)) as server:
        embedder = OpenAiEmbedder("mini", server.url)
        with closing(embedder), pytest.raises(InfrastructureError, match="gave no vector"):
            embedder.embed(["uno"])


def test_a_rate_limit_is_not_taken_for_a_long_text() -> None:
    limited = {"error": {"message": "rate limit exceeded, too many tokens"}}
    with serving(lambda path, body: (429, limited)) as server:
        embedder = OpenAiEmbedder("mini", server.url)
        with closing(embedder), pytest.raises(InfrastructureError, match="429"):
            embedder.embed(["uno dos"])


def test_the_key_stays_at_home_or_goes_encrypted(
    openai_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with closing(OpenAiEmbedder("mini", openai_server.url)) as embedder:
        embedder.embed(["uno"])
        assert "sk-secret" not in embedder.identity.model_dump_json()
    assert openai_server.asked[0][2]["Authorization"] == "Bearer sk-secret"
    with closing(OpenAiEmbedder("mini", "http://example.org/v1")) as embedder:
        assert "authorization" not in embedder._client.headers
