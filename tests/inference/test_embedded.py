"""The packaged model: the shapes it is fed, its window, its identity, and damage to its files."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.judges.inference.choose import choose_inference
from jw_eval_store.judges.inference.embedded import (
    EmbeddedModel,
    installed_card,
    revision_of,
    verified,
)
from jw_eval_store.judges.inference.profiles import shipped_inference_profile
from jw_eval_store.judges.inference.reader import EntailmentReader

PAIRS = [
    ("El alma muere.", "El alma no muere."),
    ("The dead know nothing.", "The dead are conscious of nothing at all."),
    ("Os mortos não sabem nada. " * 9, "Ninguém sabe nada."),
]


def test_a_pair_is_fed_as_the_model_was_trained(
    embedded: EmbeddedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    fed: list[dict[str, Any]] = []

    class Session:
        def run(self, _: None, arrays: dict[str, Any]) -> list[Any]:
            fed.append(arrays)
            return [np.array([[0.0, np.log(2.0), np.log(5.0)]], dtype=np.float32)]

    monkeypatch.setitem(embedded.__dict__, "_session", Session())
    (found,) = embedded.infer([("El alma", "No muere")])
    first, second = (
        embedded._tokenizer.encode(text, add_special_tokens=False).ids
        for text in ("El alma", "No muere")
    )
    ids = [0, *first, 2, 2, *second, 2]
    assert fed[0]["ids"].tolist() == [ids]
    only = [[2] * len(first), [3] * len(second)]  # no word is in both
    assert fed[0]["segments"].tolist() == [[0, *only[0], 0, 0, *only[1], 1]]
    assert fed[0]["attention"].tolist() == [[1] * len(ids)]
    assert {array.dtype for array in fed[0].values()} == {np.dtype("int64")}
    assert found == (0.125, 0.25, 0.625)


def test_a_package_that_refuses_the_files_is_said_with_the_next_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import onnxruntime
    from tokenizers import Tokenizer

    def refuse(*_: Any, **__: Any) -> None:
        raise RuntimeError("opset 99 is not\nsupported")

    monkeypatch.setattr(onnxruntime, "InferenceSession", refuse)
    with pytest.raises(InfrastructureError, match=r"by onnxruntime .*opset 99 is not supported"):
        EmbeddedModel().infer(PAIRS[:1])
    reading = EntailmentReader(EmbeddedModel()).read(*PAIRS[0], "es")
    assert (reading.reason_code, reading.leans_pass) == ("judge_unreachable", False)
    monkeypatch.setattr(Tokenizer, "from_file", refuse)
    with pytest.raises(InfrastructureError, match="by tokenizers"):
        EmbeddedModel().infer(PAIRS[:1])


def test_probabilities_add_up_and_batches_change_nothing(embedded: EmbeddedModel) -> None:
    together = embedded.infer(PAIRS)
    assert together == [embedded.infer([pair])[0] for pair in PAIRS]
    assert all(sum(one) == pytest.approx(1, abs=2e-4) for one in together)
    assert len(set(together)) == len(together)


def test_threads_change_nothing(embedded: EmbeddedModel) -> None:
    expected = embedded.infer(PAIRS)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(embedded.infer, [PAIRS] * 8))
    assert found == [expected] * 8


def test_another_process_says_the_same(embedded: EmbeddedModel) -> None:
    script = (
        "from tests.inference.test_embedded import *\n"
        "model = EmbeddedModel()\n"
        "print(model.revision, model.infer(PAIRS))"
    )
    env = {**os.environ, "PYTHONHASHSEED": "7", "OMP_NUM_THREADS": "2"}
    done = subprocess.run(
        [sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == f"{embedded.revision} {embedded.infer(PAIRS)}"


def test_a_pair_over_the_window_is_never_cut(embedded: EmbeddedModel) -> None:
    word = "a"
    assert len(embedded._tokenizer.encode(word, add_special_tokens=False).ids) == 1
    fits = " ".join([word] * (embedded.window - 5))
    embedded.infer([(word, fits)])
    for pair in ((word, f"{fits} {word}"), (f"{fits} {word}", word)):
        with pytest.raises(UsageError, match="513 tokens are too many"):
            embedded.infer([pair])


def test_a_sentence_over_the_window_is_undecided(embedded: EmbeddedModel) -> None:
    reader = EntailmentReader(embedded, pass_at=0.6, fail_at=0.6)
    reading = reader.read("El alma muere.", "alma " * 600, "es")
    assert (reading.verdict, reading.reason_code) == (None, "judge_cut")


def test_a_long_golden_answer_is_read_sentence_by_sentence(embedded: EmbeddedModel) -> None:
    golden = " ".join(f"Los muertos de la ciudad número {n} no saben nada." for n in range(60))
    reading = EntailmentReader(embedded).read(golden, "Nadie sabe nada.", "es")
    assert reading.reason_code is None
    assert (reading.steps[0].details["skipped"], reading.steps[0].details["asked"]) == (1, 60)


def copied(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The package's files in a folder where they may be damaged."""
    import jw_eval_nli

    for name in ("MODEL", "TOKENIZER"):
        copy = Path(shutil.copy(getattr(jw_eval_nli, name), folder))
        monkeypatch.setattr(jw_eval_nli, name, copy)
    return jw_eval_nli


@pytest.mark.parametrize("name", ["MODEL", "TOKENIZER"])
def test_a_changed_or_missing_file_is_refused_with_the_next_step(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = getattr(copied(tmp_path, monkeypatch), name)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(InfrastructureError, match=f"{path.name} is not the file") as refused:
        EmbeddedModel()
    assert "--force-reinstall" in str(refused.value)
    path.unlink()
    with pytest.raises(InfrastructureError, match=f"{path.name} can't be read"):
        EmbeddedModel()


def test_files_are_verified_once_a_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedded: EmbeddedModel
) -> None:
    package = copied(tmp_path, monkeypatch)
    assert EmbeddedModel().revision == embedded.revision
    before = verified.cache_info().hits
    EmbeddedModel()
    assert verified.cache_info().hits == before + 1
    assert revision_of(package.card()) == embedded.revision


def test_the_card_names_the_files_beside_it() -> None:
    import jw_eval_nli

    card = jw_eval_nli.card()
    for path in (jw_eval_nli.MODEL, jw_eval_nli.TOKENIZER):
        assert hashlib.sha256(path.read_bytes()).hexdigest() == card["files"][path.name]


@pytest.mark.parametrize("name", ["jw_eval_nli", "onnxruntime", "tokenizers"])
def test_a_missing_package_is_said_with_the_next_step(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(InfrastructureError, match=name) as refused:
        choose_inference("embedded")
    assert "pip install ./models/nli/package '.[nli-embedded]'" in str(refused.value)
    if name == "jw_eval_nli":
        assert shipped_inference_profile() is None


def test_its_thresholds_come_with_it(embedded: EmbeddedModel) -> None:
    profile = shipped_inference_profile()
    assert profile is not None
    assert (profile.model, profile.revision) == (embedded.label, embedded.revision)


def test_another_runtime_is_another_identity(
    embedded: EmbeddedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Versions of onnxruntime differ in the second decimal of logits."""
    before = EntailmentReader(embedded).identity
    monkeypatch.setattr(embedded, "runtime", "onnxruntime 1.22.0")
    assert before["runtime"].startswith("onnxruntime ")
    assert EntailmentReader(embedded).identity != before


@pytest.mark.parametrize("unread", ["灵魂在人死时不会死去。", "🦄", "ผู้ตาย"])
def test_what_it_has_no_pieces_for_is_refused(embedded: EmbeddedModel, unread: str) -> None:
    for pair in (("El alma muere.", unread), (unread, "El alma muere.")):
        with pytest.raises(UsageError, match="no pieces for most of"):
            embedded.infer([pair])
    assert embedded.infer([("El alma muere.", "❌ Ἀνάστασις: el alma muere.")])


def test_how_the_files_are_read_is_part_of_the_revision() -> None:
    card = dict(installed_card() or {})
    known = revision_of(card)
    for changed in (
        {"classes": ["contradiction", "neutral", "entailment"]},
        {"special": {**card["special"], "eos": 3}},
        {"window": 128},
    ):
        assert revision_of({**card, **changed}) != known


def test_other_figures_for_words_are_another_revision() -> None:
    card = dict(installed_card() or {})
    plain = {**card, "words": {}}
    figures = {"intercept": 1.0, "each": -1.0, "share": -1.0, "weight": 0.5}
    with_words = {**card, "words": {"chat": figures}}
    assert revision_of(plain) != revision_of(with_words)
