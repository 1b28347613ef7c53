"""An embedding model of any server that speaks OpenAI's `/embeddings`.

OpenAI itself, llama.cpp's server, vLLM, LM Studio. The protocol names no revision: a server that
changes its weights under the same name can't be noticed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from jw_eval_store.domain.errors import InfrastructureError
from jw_eval_store.domain.matching import EmbedderIdentity
from jw_eval_store.judges.clients.http import CONNECT_TIMEOUT, is_local, shown_url
from jw_eval_store.judges.embedders.interface import Embedder
from jw_eval_store.judges.embedders.windows import TooLongError, in_windows

if TYPE_CHECKING:
    import httpx

    from jw_eval_store.judges.embedders.interface import Vectors

OFFICIAL_URL = "https://api.openai.com/v1"
_TOO_LONG = re.compile(r"context length|too (?:long|large)|exceed|maximum.*tokens", re.IGNORECASE)


class OpenAiEmbedder(Embedder):
    """Asks for a text at a time. The key (`OPENAI_API_KEY`) goes over https or stays at home."""

    def __init__(self, model: str, url: str | None = None, *, timeout: float = 60.0) -> None:
        self._model = model
        self._url = (url or OFFICIAL_URL).rstrip("/")
        self._timeout = timeout

    @cached_property
    def _client(self) -> httpx.Client:
        import httpx

        key = os.environ.get("OPENAI_API_KEY")
        safe = self._url.startswith("https://") or is_local(self._url)
        return httpx.Client(
            headers={"Authorization": f"Bearer {key}"} if key and safe else {},
            timeout=httpx.Timeout(self._timeout, connect=CONNECT_TIMEOUT),
            trust_env=not is_local(self._url),
        )

    @cached_property
    def identity(self) -> EmbedderIdentity:
        """Asks the server for a vector to know its dimension; the revision is where it runs."""
        return EmbedderIdentity(
            backend="openai",
            model=self._model,
            revision=shown_url(self._url),
            dimension=len(self._one("a")),
        )

    def close(self) -> None:
        """Let go of connections."""
        self._client.close()

    def _raw(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        return np.stack([in_windows(text, self._one) for text in texts])

    def _one(self, text: str) -> Sequence[float]:
        body = {"model": self._model, "input": text, "encoding_format": "float"}
        reply = self._reply(body)
        try:
            vector: list[float] = [float(x) for x in reply.json()["data"][0]["embedding"]]
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise self._fault(f"gave no vector: {reply.text[:200]}") from error
        return vector

    def _reply(self, body: dict[str, Any]) -> httpx.Response:
        """The server's reply of status 200. Raises TooLongError, InfrastructureError."""
        import httpx

        try:
            reply = self._client.post(f"{self._url}/embeddings", json=body)
        except httpx.HTTPError as error:
            raise self._fault(f"can't be reached: {error or type(error).__name__}") from error
        if reply.status_code == 200:
            return reply
        if reply.status_code != 429 and _TOO_LONG.search(reply.text):
            raise TooLongError(reply.text)
        raise self._fault(f"answered {reply.status_code}: {reply.text[:300]}")

    def _fault(self, message: str) -> InfrastructureError:
        return InfrastructureError(
            f"the embedding server at {shown_url(self._url)} {message}",
            hint="check [embedder] url and model, and OPENAI_API_KEY",
        )
