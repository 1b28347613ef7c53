"""`python -m nli_training STEP`: corpus, train."""

from __future__ import annotations

import argparse
import json
from dataclasses import fields
from pathlib import Path

from nli_training.train import Recipe


def main() -> None:
    """Parses the arguments and runs the step."""
    parser = argparse.ArgumentParser(prog="nli_training", description=__doc__)
    steps = parser.add_subparsers(required=True)
    corpus = steps.add_parser("corpus", help="gather and make all pairs")
    corpus.add_argument("data", type=Path, help="folder with inferes_train.csv, begin_dev_wow.tsv")
    corpus.add_argument("--test", type=Path, action="append", default=[], help="rows to keep out")
    corpus.add_argument("--out", type=Path, default=Path("build/nli"))
    corpus.set_defaults(step=_corpus)
    train = steps.add_parser("train", help="fine-tune; goes on where it was interrupted")
    train.add_argument("--pairs", type=Path, default=Path("build/nli"))
    train.add_argument("--out", type=Path, default=Path("build/nli/run"))
    train.add_argument("--keep-layers", type=int, default=12)
    train.add_argument("--limit", type=int, help="only so many pairs: for tries")
    train.add_argument("--limit-development", type=int, help="only so many held back: for tries")
    train.add_argument("--threads", type=int, default=1)
    for field in fields(Recipe):
        if field.name == "per_language":
            train.add_argument("--per-language", action="store_true")
        else:
            kind = type(field.default)
            train.add_argument(
                f"--{field.name.replace('_', '-')}", type=kind, default=field.default
            )
    train.set_defaults(step=_train)
    arguments = parser.parse_args()
    arguments.step(arguments)


def _corpus(arguments: argparse.Namespace) -> None:
    from nli_training.corpus import build, save
    from nli_training.e5 import read_start
    from nli_training.vocabulary import choose_pieces

    out: Path = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    made = build(arguments.data, arguments.test, out / "translations")
    save(made.training, out / "training.jsonl")
    save(made.development, out / "development.jsonl")
    texts = [t for p in made.training + made.development for t in (p.premise, p.hypothesis)]
    kept = choose_pieces(read_start(), texts)
    (out / "pieces.json").write_text(json.dumps(kept), encoding="utf-8")
    counts = {name: dict(counter) for name, counter in made.counts().items()}
    (out / "counts.json").write_text(json.dumps(counts, indent=1), encoding="utf-8")
    print(json.dumps(counts, indent=1))


def _train(arguments: argparse.Namespace) -> None:
    import torch

    from nli_training.corpus import load
    from nli_training.e5 import read_start
    from nli_training.network import from_start
    from nli_training.train import Trainer
    from nli_training.vocabulary import make_tokenizer

    torch.set_num_threads(arguments.threads)
    recipe = Recipe(**{f.name: getattr(arguments, f.name) for f in fields(Recipe)})
    torch.manual_seed(recipe.seed)
    kept = json.loads((arguments.pairs / "pieces.json").read_text(encoding="utf-8"))
    start = read_start()
    tokenizer = make_tokenizer([start.pieces[i] for i in kept], start.scores[kept])
    training = load(arguments.pairs / "training.jsonl")[: arguments.limit]
    held = load(arguments.pairs / "development.jsonl")[: arguments.limit_development]
    network = from_start(start, kept, arguments.keep_layers, recipe.trained)
    Trainer(network, tokenizer, training, held, recipe, arguments.out).run()


if __name__ == "__main__":
    main()
