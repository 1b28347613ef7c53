"""The real libraries on small models: windows, identities, labels, absence. `make test-model`."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.judges.embedders.sentence_transformers import SentenceTransformerEmbedder
from jw_eval_store.judges.inference.cross_encoder import CrossEncoderModel
from jw_eval_store.judges.inference.reader import EntailmentReader
from tests.embeddings.small_models import make_cross_encoder, make_sentence_transformer

pytestmark = [
    pytest.mark.model,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
]
LABELS = ("contradiction", "entailment", "neutral")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_sentence_transformer(tmp_path_factory.mktemp("sentence"))


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_cross_encoder(tmp_path_factory.mktemp("cross") / "model", LABELS)


def test_a_model_is_identified_by_its_weights(model: Path, tmp_path: Path) -> None:
    identity = SentenceTransformerEmbedder(str(model)).identity
    assert (identity.dimension, identity.window) == (32, 16)
    other = make_sentence_transformer(tmp_path / "other", window=12)
    assert SentenceTransformerEmbedder(str(other)).identity.revision != identity.revision


def test_the_end_of_a_long_text_counts(model: Path) -> None:
    embedder = SentenceTransformerEmbedder(str(model))
    start = "los muertos saben nada . " * 12
    one, other = embedder.embed([f"{start}el alma muere", f"{start}el alma no muere"])
    assert not np.allclose(one, other)
    assert np.allclose(np.linalg.norm(one), 1)


def test_a_text_within_the_window_is_the_library_s_own_vector(model: Path) -> None:
    from sentence_transformers import SentenceTransformer

    text = "el alma muere"
    own = SentenceTransformer(str(model), device="cpu").encode(text, normalize_embeddings=True)
    assert np.allclose(SentenceTransformerEmbedder(str(model)).embed([text])[0], own, atol=1e-6)


def test_batches_change_nothing(model: Path) -> None:
    embedder = SentenceTransformerEmbedder(str(model))
    together = embedder.embed(["el alma muere", "dios es un reino . " * 9])
    assert together[0].tobytes() == embedder.embed(["el alma muere"])[0].tobytes()


@pytest.mark.parametrize("kind", [SentenceTransformerEmbedder, CrossEncoderModel])
@pytest.mark.parametrize("name", ["nobody/no-such-model", "no-such-model"])
def test_an_absent_model_is_refused_at_once(
    kind: type[SentenceTransformerEmbedder | CrossEncoderModel], name: str
) -> None:
    started = time.monotonic()
    with pytest.raises(UsageError, match="hf download"):
        kind(name)
    assert time.monotonic() - started < 20


def test_probabilities_follow_the_model_s_own_labels(cross_encoder: Path, tmp_path: Path) -> None:
    pair = [("el alma muere", "el alma no muere")]
    (first,) = CrossEncoderModel(str(cross_encoder)).infer(pair)
    turned = make_cross_encoder(tmp_path / "turned", ("ENTAILMENT", "neutral", "contradiction"))
    (second,) = CrossEncoderModel(str(turned)).infer(pair)
    assert sum(first) == pytest.approx(1, abs=0.001)
    assert (first.contradiction, first.entailment) == (second.entailment, second.neutral)


def test_a_model_of_other_labels_is_refused(tmp_path: Path) -> None:
    model = CrossEncoderModel(str(make_cross_encoder(tmp_path / "two", ("yes", "no"))))
    with pytest.raises(UsageError, match="no model for inference"):
        model.infer([("el alma", "muere")])


def test_a_pair_over_the_window_is_not_cut(cross_encoder: Path) -> None:
    reader = EntailmentReader(CrossEncoderModel(str(cross_encoder)), pass_at=0.9, fail_at=0.9)
    opinion = reader.read("el alma muere", "dios es un reino " * 20, "es")
    assert (opinion.verdict, opinion.reason_code) == (None, "judge_cut")


def test_a_whole_answer_is_read(cross_encoder: Path) -> None:
    reader = EntailmentReader(CrossEncoderModel(str(cross_encoder)))
    opinion = reader.read("El alma muere.", "Dios es un reino. El alma no muere.", "es")
    assert opinion.verdict is None
    assert 0 < (opinion.score or 0) < 1
    assert opinion.steps[0].kind == "nli"
