"""Training learns, and goes on after an interruption as if there had been none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from nli_training.e5 import Shape, Start
from nli_training.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL, Pair
from nli_training.recipe import Recipe
from nli_training.vocabulary import SPECIAL, make_tokenizer

if TYPE_CHECKING:
    from nli_training.train import Trainer

pytestmark = pytest.mark.model

WORDS = ["▁sol", "▁luna", "▁mar", "▁no", "▁brilla", "▁arde"]
SHAPE = Shape(hidden=32, layers=2, heads=2, inner=64, pieces=10, positions=64, epsilon=1e-12)


def start() -> Start:
    rng = np.random.default_rng(7)
    h, inner = SHAPE.hidden, SHAPE.inner

    def matrix(*size: int) -> np.ndarray:
        return rng.normal(0, 0.05, size).astype(np.float32)

    tensors = {"emb.word": matrix(10, h), "emb.pos": matrix(64, h), "emb.type": matrix(2, h)}
    tensors |= {"emb.ln.w": np.ones(h, np.float32), "emb.ln.b": np.zeros(h, np.float32)}
    for layer in range(SHAPE.layers):
        sizes = {"q": (h, h), "k": (h, h), "v": (h, h), "ao": (h, h), "fi": (inner, h)}
        sizes |= {"fo": (h, inner)}
        for name, size in sizes.items():
            tensors[f"l{layer}.{name}.w"] = matrix(*size)
            tensors[f"l{layer}.{name}.b"] = np.zeros(size[0], np.float32)
        for name in ("aln", "oln"):
            tensors[f"l{layer}.{name}.w"] = np.ones(h, np.float32)
            tensors[f"l{layer}.{name}.b"] = np.zeros(h, np.float32)
    return Start(SHAPE, [*SPECIAL, *WORDS], np.arange(10, dtype=np.float32), tensors)


def pairs() -> list[Pair]:
    made = []
    for noun in ("sol", "luna", "mar"):
        for verb in ("brilla", "arde"):
            said = f"{noun} {verb}"
            other = f"{noun} {'arde' if verb == 'brilla' else 'brilla'}"
            for hypothesis, label in (
                (said, ENTAILMENT),
                (f"{noun} no {verb}", CONTRADICTION),
                (other, NEUTRAL),
            ):
                made += [Pair(said, hypothesis, label, "es", "toy", said)] * 4
    return made


def trainer(folder: Path, recipe: Recipe) -> Trainer:
    import torch

    from nli_training.network import from_start
    from nli_training.train import Trainer

    torch.manual_seed(recipe.seed)
    torch.set_num_threads(1)
    begin = start()
    network = from_start(begin, list(range(10)), trained=recipe.trained)
    tokenizer = make_tokenizer(begin.pieces, [0, 0, 0, 0, *[-1] * len(WORDS)])
    return Trainer(network, tokenizer, pairs(), pairs()[::4] * 2, recipe, folder)


@pytest.fixture
def recipe() -> Recipe:
    return Recipe(epochs=60, rate=3e-3, trained=1, averaging=0.9, evaluations=6, patience=99)


def weights(folder: Path) -> Any:
    import torch

    return torch.load(folder / "checkpoint.pt", weights_only=True)["network"]


def test_it_goes_on_where_it_was_interrupted(tmp_path: Path, recipe: Recipe) -> None:
    import torch

    trainer(tmp_path / "whole", recipe).run()
    broken = trainer(tmp_path / "broken", recipe)
    learn, stop = broken._learn, broken.steps * 2 // 3 - 1

    def interrupted(batch: Any) -> float:
        if broken.step >= stop:
            raise KeyboardInterrupt
        return learn(batch)

    broken._learn = interrupted  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        broken.run()
    trainer(tmp_path / "broken", recipe).run()
    whole, resumed = weights(tmp_path / "whole"), weights(tmp_path / "broken")
    assert all(torch.equal(whole[name], resumed[name]) for name in whole)
    assert '"resumed"' in (tmp_path / "broken" / "log.jsonl").read_text()


def test_the_weights_of_every_evaluation_are_kept(tmp_path: Path, recipe: Recipe) -> None:
    import torch

    ready = trainer(tmp_path, recipe)
    ready.run()
    seen = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    steps = {entry["step"] for entry in seen if "area" in entry}
    assert {int(f.stem.removeprefix("at-")) for f in tmp_path.glob("at-*.pt")} == steps
    last = torch.load(tmp_path / f"at-{ready.steps}.pt", weights_only=True)
    assert all(torch.equal(last[n], now) for n, now in ready.mean.state_dict().items())


def test_epochs_of_unlike_numbers_of_batches_all_end(
    tmp_path: Path, recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nli_training import batches as module

    monkeypatch.setattr(module, "TOKENS_PER_BATCH", 40)
    ready = trainer(tmp_path, replace(recipe, epochs=7))
    ready.run()
    assert ready.step == ready.steps
    assert ready.epoch >= 6


def test_another_recipe_does_not_go_on_with_it(tmp_path: Path, recipe: Recipe) -> None:
    trainer(tmp_path, replace(recipe, epochs=2)).run()
    with pytest.raises(SystemExit, match="another recipe"):
        trainer(tmp_path, recipe).run()


def test_it_learns_and_leaves_lower_layers_and_words_alone(tmp_path: Path, recipe: Recipe) -> None:
    import torch

    from nli_training.network import from_start
    from nli_training.train import probabilities

    ready = trainer(tmp_path, replace(recipe, epochs=400))
    ready.run()
    said = probabilities(ready.mean, ready.held_rows).argmax(1)
    labels = np.array([pair.label for pair in ready.held])
    assert (said == labels).mean() > 0.9
    first = from_start(start(), list(range(10)), trained=1).state_dict()
    now = ready.network.state_dict()
    kept = [n for n in first if n.startswith(("words", "positions", "norm", "layers.0."))]
    assert kept
    assert all(torch.equal(first[name], now[name]) for name in kept)


def test_layers_below_the_marks_can_learn_too(tmp_path: Path, recipe: Recipe) -> None:
    import torch

    from nli_training.network import from_start
    from nli_training.train import probabilities

    def network(trained: int) -> Any:
        torch.manual_seed(1)
        return from_start(start(), list(range(10)), trained=trained, marked=1)

    ready = trainer(tmp_path, recipe)
    upper, both = network(1), network(2)
    with torch.no_grad():
        for one in (upper, both):
            one.segments.weight.copy_(torch.arange(4.0)[:, None].expand(4, SHAPE.hidden))
    assert np.allclose(probabilities(upper, ready.rows), probabilities(both, ready.rows), atol=0.02)
    assert (upper.first, both.first) == (1, 0)
    with pytest.raises(ValueError, match="segments would come in at layer 0"):
        from_start(start(), list(range(10)), trained=1, marked=2)


@pytest.mark.filterwarnings("ignore")  # of torch's exporter about itself
def test_it_goes_on_from_an_earlier_export(tmp_path: Path, recipe: Recipe) -> None:
    import torch

    from nli_training.earlier import continue_from
    from nli_training.export import export
    from nli_training.network import from_start

    trained = trainer(tmp_path / "first", recipe)
    trained.run()
    tokenizer = make_tokenizer(start().pieces, [0, 0, 0, 0, *[-1] * len(WORDS)])
    before = {k: v.clone() for k, v in trained.network.state_dict().items()}
    export(trained.network, tokenizer, tmp_path / "package")
    fresh = from_start(start(), list(range(10)), trained=recipe.trained)
    continue_from(tmp_path / "package" / "model.onnx", fresh)
    for name, value in fresh.state_dict().items():
        assert torch.allclose(value, before[name], atol=0.02), name


def test_the_mean_of_two_lies_between_them_and_unlike_ones_have_none() -> None:
    import torch

    from nli_training.averaging import mean_of

    a, b = {"w": torch.tensor([1.0, 5.0])}, {"w": torch.tensor([3.0, -1.0])}
    assert torch.equal(mean_of([a, b])["w"], torch.tensor([2.0, 2.0]))
    with pytest.raises(ValueError, match="same shape"):
        mean_of([a, {"w": torch.zeros(3)}])


def test_a_mean_takes_no_training_s_place(tmp_path: Path) -> None:
    from argparse import Namespace

    from nli_training.steps import average

    for run in ("run", "other"):
        given = Namespace(out=tmp_path, parts=["other"], like="run", run=run)
        with pytest.raises(SystemExit, match="choose another --run"):
            average(given)
