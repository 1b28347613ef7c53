"""`cases similar`: golden answers and inputs near a text or a case, to notice duplicates."""

from __future__ import annotations

from dataclasses import dataclass

from jw_eval_store.domain.errors import EmptySelectionError
from jw_eval_store.domain.matching import EmbedderIdentity
from jw_eval_store.judges.embedders.cache import CachedEmbedder
from jw_eval_store.judges.embedders.interface import DECIMALS
from jw_eval_store.runs.embeddings import index_texts, path_of, texts_of
from jw_eval_store.store.cases import find_case, load_cases
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.embeddings import (
    CaseText,
    case_texts,
    current_vectors,
    revisions_without_vectors,
)
from jw_eval_store.store.vectors import MOST, nearest

_FIELDS = ("golden_answer", "input")
_BATCH = 200


@dataclass(frozen=True)
class SimilarText:
    """A case's text near the one asked for. `field` is input or golden_answer."""

    case_id: str
    field: str
    cosine: float
    text: str


def similar(
    conn: Connection, embedder: CachedEmbedder, text_or_id: str, limit: int = 10
) -> list[SimilarText]:
    """The nearest golden answers and inputs of current cases, nearest first.

    A case's id stands for its golden answer, or its input where it has none; the case itself is
    left out. Vectors that are missing are computed first. Raises EmptySelectionError where there is
    no case to compare with.
    """
    _embed_missing(conn, embedder)
    own = find_case(conn, text_or_id)
    wanted = _text_of(conn, own.revision) if own else text_or_id
    listed: dict[str, list[CaseText]] = {}
    for each in case_texts(conn, _FIELDS):
        if own is None or each.case_id != own.case_id:
            listed.setdefault(each.text_hash, []).append(each)
    if not listed:
        raise EmptySelectionError("there is no case to compare with", hint="jw-eval cases import")
    vector = embedder.embed([wanted])[0].astype("<f4").tobytes()
    near = _nearest(conn, embedder.identity, vector, min(MOST, 4 * limit + 20))
    found = [(each, cosine) for h, cosine in near for each in listed.get(h, ())]
    return [_shown(conn, each, cosine) for each, cosine in found[:limit]]


def _embed_missing(conn: Connection, embedder: CachedEmbedder) -> None:
    index_texts(conn)
    revisions = revisions_without_vectors(conn, embedder.identity)
    texts = [
        text for case in load_cases(conn, revisions).values() for text in texts_of(case).values()
    ]
    for start in range(0, len(texts), _BATCH):
        embedder.embed(texts[start : start + _BATCH])
    embedder.flush()


def _text_of(conn: Connection, revision: int, field: str = "golden_answer") -> str:
    texts = texts_of(load_cases(conn, [revision])[revision])
    return texts.get(field) or texts.get("input") or ""


def _nearest(
    conn: Connection, identity: EmbedderIdentity, vector: bytes, count: int
) -> list[tuple[str, float]]:
    """Hashes of current texts with their cosines, by the index where there is one."""
    indexed = nearest(conn, path_of(conn), identity.identity_hash, vector, count)
    if indexed is not None:
        return [(each.text_hash, round(each.cosine, DECIMALS)) for each in indexed]
    import numpy as np

    stored = current_vectors(conn, identity)
    table = np.stack([np.frombuffer(each, dtype="<f4") for each in stored.values()])
    products = (table @ np.frombuffer(vector, dtype="<f4")).astype(np.float64)
    near = np.round(products, DECIMALS)
    order = np.argsort(-near, kind="stable")[:count]
    hashes = list(stored)
    return [(hashes[i], float(near[i])) for i in order]


def _shown(conn: Connection, found: CaseText, cosine: float) -> SimilarText:
    row = find_case(conn, found.case_id)
    text = _text_of(conn, row.revision, found.field) if row else ""
    return SimilarText(found.case_id, found.field, cosine, text)
