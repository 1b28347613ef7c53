"""The semantic layer of a run: embedder, profile and judge, opened once and closed at its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from jw_eval_store.config import Config
from jw_eval_store.runs.judging import SemanticLayer
from jw_eval_store.runs.setups import SemanticIdentity
from jw_eval_store.store.connect import Connection


@dataclass(frozen=True)
class Semantic:
    """The layer with its tools, its identity for fingerprints, and labels for reports."""

    layer: SemanticLayer
    identity: SemanticIdentity
    embedder_label: str | None
    judge_label: str | None
    notices: tuple[str, ...] = ()


@contextmanager
def open_semantic(conn: Connection, config: Config) -> Iterator[Semantic]:
    """The semantic layer as configured."""
    raise NotImplementedError
    yield
