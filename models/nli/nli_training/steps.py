"""The steps of making the model, from pairs to the package."""

from __future__ import annotations

import json
import shutil
from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nli_training.corpus import build, load, save
from nli_training.held_back import labelled, long_answers, write_rows
from nli_training.recipe import Recipe
from nli_training.sources import own_labels

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

    from nli_training.e5 import Start
    from nli_training.network import CrossEncoder

Step = Callable[[Namespace], None]
VERSION = "2.4.0"
WORDS_COUNT = {
    "chat": {"weight": 0.5},
    "captions": {"weight": 0.25, "most": 0.0},
    "encyclopaedia": {"weight": 0.25, "most": 0.0},
}
"""Kinds of text in which the words' opinion, by BEGIN's labels, is pooled with the weights', and
what it counts there (docs/adr/0015)."""


def make_corpus(options: Namespace) -> None:
    """Pairs, and the pieces of the vocabulary that stay."""
    from nli_training.e5 import read_start
    from nli_training.vocabulary import choose_pieces

    out: Path = options.out
    out.mkdir(parents=True, exist_ok=True)
    more = list(own_labels(options.labels)) if options.labels else []
    made = build(options.data, options.test, out / "translations", more=more)
    save(made.training, out / "training.jsonl")
    save(made.development, out / "development.jsonl")
    texts = [t for p in made.training + made.development for t in (p.premise, p.hypothesis)]
    _write(choose_pieces(read_start(), texts), out / "pieces.json")
    _write({name: dict(counter) for name, counter in made.counts().items()}, out / "counts.json")
    print(f"{len(made.training)} pairs to train on, {len(made.development)} held back")


def train(options: Namespace) -> None:
    """Fine-tunes into `out`/`run`."""
    import torch

    from nli_training.earlier import continue_from
    from nli_training.network import from_start
    from nli_training.train import Trainer, teach

    torch.set_num_threads(options.threads)
    recipe = Recipe(**{f.name: getattr(options, f.name) for f in fields(Recipe)})
    torch.manual_seed(recipe.seed)
    start, kept, tokenizer = _started(options.out)
    training = load(options.out / "training.jsonl")[: options.limit]
    held = load(options.out / "development.jsonl")[: options.limit_development]
    network = from_start(start, kept, recipe.layers, recipe.trained, recipe.marked)
    if recipe.earlier:
        continue_from(Path(recipe.earlier), network)
    folder = options.out / options.run
    trainer = Trainer(network, tokenizer, training, held, recipe, folder)
    if recipe.teacher:
        teach(_trained(options.out / recipe.teacher, start, kept), trainer.rows)
    trainer.run()
    _write(asdict(recipe), folder / "recipe.json")


def average(options: Namespace) -> None:
    """The mean of several weights, as a training of its own: best ones of trainings, ones that a
    training had on its way, and ones of earlier exports."""
    import torch

    from nli_training.averaging import mean_of

    if options.run in (options.like, *options.parts):
        raise SystemExit(f"{options.run} would lose its own weights; choose another --run")
    start, kept, _ = _started(options.out)
    like = _trained(options.out / options.like, start, kept)
    states = [_part(options.out, part, like) for part in options.parts]
    folder = options.out / options.run
    folder.mkdir(exist_ok=True)
    torch.save(mean_of(states), folder / "best.pt")
    made = _read(options.out / options.like / "recipe.json")
    named = [part if part.endswith(".pt") else Path(part).name for part in options.parts]
    _write(made | {"mean_of": named}, folder / "recipe.json")
    shutil.copy(options.out / options.like / "log.jsonl", folder / "log.jsonl")


def _part(out: Path, part: str, like: CrossEncoder) -> dict[str, Tensor]:
    import torch

    from nli_training.earlier import continue_from

    if part.endswith(".onnx"):
        continue_from(Path(part), like)
        return {name: tensor.clone() for name, tensor in like.state_dict().items()}
    file = out / part if part.endswith(".pt") else out / part / "best.pt"
    state: dict[str, Tensor] = torch.load(file, weights_only=True)
    return state


def export_package(options: Namespace) -> None:
    """The best weights as files of the package, and how far int8 is from float32."""
    import torch

    from nli_training.compare import compared
    from nli_training.export import export
    from nli_training.own_words import word_odds

    torch.set_num_threads(1)
    start, kept, tokenizer = _started(options.out)
    folder = options.out / options.run
    hashes = export(_trained(folder, start, kept), tokenizer, options.package)
    held = load(options.out / "development.jsonl")
    write_rows(labelled(held), options.out / "held_back.jsonl")
    write_rows(long_answers(), options.out / "long_answers.jsonl")
    network = _trained(folder, start, kept)
    people = [p for p in load(options.out / "training.jsonl") if p.source == "begin"]
    odds = word_odds(people)
    made = {
        "files": hashes,
        "words": {kind: odds | counts for kind, counts in WORDS_COUNT.items()},
        "int8": compared(network, tokenizer, held[:1000], options.package),
    }
    _write(made, options.out / "exported.json")
    logs = options.package.parent.parent / "log"
    logs.mkdir(exist_ok=True)
    shutil.copy(folder / "log.jsonl", logs / "training.jsonl")
    print(json.dumps(made, indent=1))


def write_card(options: Namespace) -> None:
    """The data card, with the thresholds in `out` if they were found for this export."""
    out: Path = options.out
    thresholds, exported = out / "thresholds.json", out / "exported.json"
    found = thresholds.exists() and thresholds.stat().st_mtime >= exported.stat().st_mtime
    if not found:
        print(f"no thresholds found for this export in {thresholds}: it decides nothing alone")
    card = {
        "name": "jw-eval-nli",
        "version": VERSION,
        "languages": ["es", "en", "pt"],
        "window": 512,
        "classes": ["entailment", "neutral", "contradiction"],
        "special": {"bos": 0, "pad": 1, "eos": 2, "unk": 3},
        **_read(exported),
        "recipe": _read(out / options.run / "recipe.json"),
        "pairs": _read(out / "counts.json"),
        "thresholds": _read(thresholds) if found else [],
    }
    _write(card, options.package / "card.json")


def run_all(options: Namespace) -> None:
    """Every step; one that is done is not done again, but for the last two."""
    if not (options.out / "counts.json").exists():
        make_corpus(options)
    train(options)
    export_package(options)
    write_card(options)


def _started(out: Path) -> tuple[Start, list[int], Tokenizer]:
    from nli_training.e5 import read_start
    from nli_training.vocabulary import make_tokenizer

    start, kept = read_start(), _read(out / "pieces.json")
    return start, kept, make_tokenizer([start.pieces[i] for i in kept], start.scores[kept])


def _trained(folder: Path, start: Start, kept: list[int]) -> CrossEncoder:
    """The best weights of a training."""
    import torch

    from nli_training.network import from_start

    written = _read(folder / "recipe.json")
    recipe = Recipe(**{f.name: written[f.name] for f in fields(Recipe)})
    network = from_start(start, kept, recipe.layers, recipe.trained, recipe.marked)
    network.load_state_dict(torch.load(folder / "best.pt", weights_only=True))
    return network


def _read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def _write(value: Any, file: Path) -> None:
    file.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
