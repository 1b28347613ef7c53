"""Any model of the library sentence-transformers (extra `local-embeddings`), by name or path.

The library cuts texts at the model's window without a word; longer ones are embedded in parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Any

from jw_eval_store.domain.errors import InfrastructureError
from jw_eval_store.domain.judging import SPECIFIED_EMBEDDER
from jw_eval_store.domain.matching import EmbedderIdentity
from jw_eval_store.judges.embedders.hub import LocalModel, local_model
from jw_eval_store.judges.embedders.interface import Embedder
from jw_eval_store.judges.embedders.windows import TooLongError, in_windows

if TYPE_CHECKING:
    from jw_eval_store.judges.embedders.interface import Vectors

_ORGANISATION = "sentence-transformers/"


def is_installed() -> bool:
    """Whether the library can be imported; imports nothing."""
    return find_spec("sentence_transformers") is not None


class SentenceTransformerEmbedder(Embedder):
    """A model on this machine; nothing is ever fetched.

    Raises InfrastructureError without the library, UsageError at once without the model.
    """

    def __init__(self, model: str | None = None) -> None:
        if not is_installed():
            raise InfrastructureError(
                "embedder sentence-transformers is not installed",
                hint="pip install 'jw-eval-store[local-embeddings]'",
            )
        self._name = (model or SPECIFIED_EMBEDDER).removeprefix(_ORGANISATION)
        self._one_at_a_time = Lock()
        self._local = self._find()

    def _find(self) -> LocalModel:
        bare = "/" not in self._name
        return local_model(_ORGANISATION + self._name if bare else self._name)

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(str(self._local.folder), device="cpu", local_files_only=True)

    @cached_property
    def identity(self) -> EmbedderIdentity:
        """Loads the model to know its dimension and window."""
        return EmbedderIdentity(
            backend="sentence-transformers",
            model=self._name,
            revision=self._local.revision,
            dimension=len(self._model.encode("a")),
            window=self._model.max_seq_length,
        )

    def _raw(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        with self._one_at_a_time:
            return np.stack([in_windows(text, self._one) for text in texts])

    def _one(self, text: str) -> Vectors:
        window = self._model.max_seq_length
        tokens = self._model.tokenizer(text, truncation=False, verbose=False)["input_ids"]
        if window and len(tokens) > window:
            raise TooLongError(f"{len(tokens)} tokens, window {window}")
        vector: Vectors = self._model.encode(text, show_progress_bar=False)
        return vector
