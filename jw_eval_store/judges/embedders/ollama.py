"""An embedding model of a local Ollama server, through its official library.

The library waits for ever and the server cuts long texts unless told otherwise; both are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.domain.matching import EmbedderIdentity
from jw_eval_store.judges.clients.http import CONNECT_TIMEOUT, is_local, shown_url
from jw_eval_store.judges.embedders.interface import Embedder
from jw_eval_store.judges.embedders.windows import TooLongError, in_windows

if TYPE_CHECKING:
    from ollama import ResponseError

    from jw_eval_store.judges.embedders.interface import Vectors

DEFAULT_URL = "http://127.0.0.1:11434"


class OllamaEmbedder(Embedder):
    """Asks `/api/embed`, a text at a time. `timeout` in seconds covers loading the model."""

    def __init__(self, model: str, url: str | None = None, *, timeout: float = 120.0) -> None:
        import httpx
        from ollama import Client

        address = url or DEFAULT_URL
        self._model = model
        self._server = f"Ollama at {shown_url(address)}"
        self._client = Client(
            address,
            timeout=httpx.Timeout(timeout, connect=CONNECT_TIMEOUT),
            follow_redirects=False,
            trust_env=not is_local(address),
        )

    @cached_property
    def identity(self) -> EmbedderIdentity:
        """Asks the server: the revision is the digest of the weights."""
        with self._translated():
            listed = {m.model or "": m.digest or "" for m in self._client.list().models}
            shown = self._client.show(self._model).modelinfo or {}
        lengths = [value for key, value in shown.items() if key.endswith(".context_length")]
        return EmbedderIdentity(
            backend="ollama",
            model=self._model,
            revision=listed.get(self._model) or listed.get(f"{self._model}:latest") or "unknown",
            dimension=len(self._one("a")),
            window=int(lengths[0]) if lengths else None,
        )

    def close(self) -> None:
        """Let go of connections."""
        close: Callable[[], object] = self._client.close
        close()

    def _raw(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        return np.stack([in_windows(text, self._one) for text in texts])

    def _one(self, text: str) -> Sequence[float]:
        with self._translated():
            vectors = self._client.embed(self._model, text, truncate=False).embeddings
        if len(vectors) != 1:
            raise InfrastructureError(f"{self._server} gave {len(vectors)} vectors for one text")
        return vectors[0]

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Errors of the library as ours; a text over the window as TooLongError."""
        import httpx
        import ollama

        try:
            yield
        except ollama.ResponseError as error:
            raise self._refusal(error) from error
        except (ConnectionError, httpx.HTTPError) as error:
            raise InfrastructureError(
                f"{self._server} can't be reached: {error or type(error).__name__}",
                hint="start it (ollama serve), or set [embedder] url",
            ) from error

    def _refusal(self, error: ResponseError) -> Exception:
        if "context length" in error.error or "exceed" in error.error:
            return TooLongError(error.error)
        if error.status_code == 404:
            return UsageError(
                f"{self._server} has no model {self._model}", hint=f"ollama pull {self._model}"
            )
        return InfrastructureError(
            f"{self._server} answered {error.status_code}: {error.error[:300]}",
            hint="see the server's log",
        )
