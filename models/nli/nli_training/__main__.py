"""`python -m nli_training STEP`: corpus, train, export, card, or all of them."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path

from nli_training import steps
from nli_training.recipe import Recipe

BUILD = Path("build")
PACKAGE = Path(__file__).parent.parent / "package" / "jw_eval_nli"


def main() -> None:
    """Parses the arguments and runs the step."""
    parser = argparse.ArgumentParser(prog="nli_training", description=__doc__)
    parser.add_argument("--out", type=Path, default=BUILD, help="where all but the package goes")
    found = parser.add_subparsers(required=True)
    for name, step, helped in (
        ("corpus", steps.make_corpus, "gather and make all pairs"),
        ("train", steps.train, "fine-tune; goes on where it was interrupted"),
        ("average", steps.average, "the mean of several trainings' weights"),
        ("export", steps.export_package, "int8 file, tokenizer, pairs for calibration"),
        ("card", steps.write_card, "thresholds and provenance into the data card"),
        ("all", steps.run_all, "every step, one after another"),
    ):
        _add_arguments(found.add_parser(name, help=helped), name, step)
    arguments = parser.parse_args()
    arguments.step(arguments)


def _add_arguments(parser: argparse.ArgumentParser, name: str, step: steps.Step) -> None:
    parser.set_defaults(step=step)
    if name in ("corpus", "all"):
        parser.add_argument("data", type=Path, help="inferes_train.csv and begin_dev_wow.tsv")
        parser.add_argument("--test", type=Path, action="append", default=[], help="rows kept out")
        parser.add_argument("--labels", type=Path, help="your own: of `jw-eval labels export`")
    if name in ("train", "all"):
        _add_recipe(parser)
    if name == "average":
        parser.add_argument(
            "parts", nargs="+", help="trainings, TRAINING/at-STEP.pt, .onnx files exported"
        )
        parser.add_argument("--like", required=True, help="the training whose recipe it is")
    if name in ("export", "card", "all"):
        parser.add_argument("--package", type=Path, default=PACKAGE)
    if name != "corpus":
        parser.add_argument("--run", default="run", help="name of the training")


def _add_recipe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", type=int, help="only so many pairs: for tries")
    parser.add_argument("--limit-development", type=int, help="only so many held back: for tries")
    parser.add_argument("--threads", type=int, default=1)
    for field in fields(Recipe):
        option = f"--{field.name.replace('_', '-')}"
        if isinstance(field.default, bool):
            parser.add_argument(option, action="store_true")
        else:
            parser.add_argument(option, type=type(field.default), default=field.default)


if __name__ == "__main__":
    main()
