"""`embeddings list|warm|prune|reindex`: the cache, and which texts of cases it serves."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from jw_eval_store.domain.cases import LAYERS, CitationCase, SemanticCase, StructuralCase
from jw_eval_store.domain.hashing import content_hash
from jw_eval_store.domain.matching import EmbedderIdentity
from jw_eval_store.domain.selections import Selection
from jw_eval_store.judges.embedders.cache import CachedEmbedder
from jw_eval_store.judges.sentences import split_sentences
from jw_eval_store.store.cases import load_cases, select_cases
from jw_eval_store.store.connect import Connection, transaction
from jw_eval_store.store.embeddings import (
    CachedVectors,
    cached_vectors,
    clear_revision_texts,
    prune_vectors,
    put_revision_texts,
    revisions_without_texts,
)
from jw_eval_store.store.vectors import index_file

_BATCH = 200
_NO_MEANING = frozenset({"language", "lang", "visual", "limit", "max_results"})
"""Keys of a case's input that say how, not what, is asked."""


@dataclass(frozen=True)
class Warmed:
    """How many texts have a vector now, and how many of them were computed for it."""

    texts: int
    computed: int


def list_embeddings(conn: Connection) -> list[CachedVectors]:
    """What the cache holds, an entry per embedder."""
    return list(cached_vectors(conn))


def texts_of(case: StructuralCase | CitationCase | SemanticCase) -> dict[str, str]:
    """The texts of a case by which it is found, field to text."""
    asked = [v for k, v in case.input.items() if k not in _NO_MEANING and isinstance(v, str)]
    fields = {"input": "\n".join(asked)}
    if isinstance(case, SemanticCase):
        fields["golden_answer"] = case.expected.golden_answer
        fields["counter_answer"] = "\n".join(case.expected.counter_answers)
    return {field: text for field, text in fields.items() if text.strip()}


def index_texts(conn: Connection, *, anew: bool = False) -> int:
    """List the texts of current revisions that are not listed yet; how many revisions that were."""
    with transaction(conn):
        if anew:
            clear_revision_texts(conn)
        missing = revisions_without_texts(conn)
        for revision, case in load_cases(conn, missing).items():
            hashes = {field: content_hash(text) for field, text in texts_of(case).items()}
            put_revision_texts(conn, revision, hashes or {"input": content_hash("")})
    return len(missing)


def warm(conn: Connection, embedder: CachedEmbedder) -> Warmed:
    """Compute the vectors of every current case's texts and sentences, so that a run need not."""
    index_texts(conn)
    whole = list(_current_texts(conn).values())
    texts = list(
        dict.fromkeys([*whole, *(part for text in whole for part in split_sentences(text))])
    )
    before = embedder.computed
    for start in range(0, len(texts), _BATCH):
        embedder.embed(texts[start : start + _BATCH])
    embedder.flush()
    return Warmed(len(texts), embedder.computed - before)


def prune(
    conn: Connection, keep: EmbedderIdentity | None, *, older_than_days: int | None = None
) -> int:
    """Delete vectors of other embedders, and old ones of no current case; how many went."""
    index_texts(conn)
    before = None
    if older_than_days is not None:
        moment = datetime.now(UTC) - timedelta(days=older_than_days)
        before = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    with transaction(conn):
        return prune_vectors(conn, keep, before=before)


def reindex(conn: Connection, embedder: CachedEmbedder) -> Warmed:
    """List all texts anew, make the index of vectors anew, and compute what is missing."""
    index_texts(conn, anew=True)
    index_file(path_of(conn)).unlink(missing_ok=True)
    return warm(conn, embedder)


def path_of(conn: Connection) -> Path:
    """The database file behind a connection."""
    return Path(conn.execute("PRAGMA database_list").fetchone()["file"])


def _current_texts(conn: Connection) -> dict[str, str]:
    """Hash -> text, of all current cases."""
    rows = select_cases(conn, Selection(layers=LAYERS), bundled=None)
    cases = load_cases(conn, [row.revision for row in rows]).values()
    return {content_hash(text): text for case in cases for text in texts_of(case).values()}
