"""The contradiction model that comes as a package: offline, on the CPU, repeatable to the bit.

The files are those of the distribution jw-eval-nli, checked against the card beside them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.domain.hashing import json_hash
from jw_eval_store.judges.inference.interface import (
    CLASSES,
    Inference,
    InferenceModel,
    inference_of,
)
from jw_eval_store.judges.inference.word_odds import WithWordOdds, WordOdds

EMBEDDED = "embedded"
"""The value of `judge.nli` that stands for this model."""

_OFFERED = ("MODEL", "TOKENIZER", "segments_of", "words_of")
_NEEDED = ("jw_eval_nli", "onnxruntime", "tokenizers")
INSTALL = "in a checkout of jw-eval: pip install ./models/nli/package '.[nli-embedded]'"
"""The weights are a package of the checkout, which no index has."""


def installed_card() -> Mapping[str, Any] | None:
    """The card of the installed package; none where it is not installed. Its files aren't read."""
    if find_spec("jw_eval_nli") is None:
        return None
    import jw_eval_nli

    card: Mapping[str, Any] = jw_eval_nli.card()
    return card


def revision_of(card: Mapping[str, Any]) -> str:
    """One digest of all that the same texts' verdicts hang on: files, and how they are read."""
    read = ("files", "classes", "special", "window", "words")
    return json_hash({name: card[name] for name in read if name in card})


def label_of(card: Mapping[str, Any]) -> str:
    """For people: name and version."""
    return f"{card['name']} {card['version']}"


@cache
def verified(model: Path, tokenizer: Path) -> Mapping[str, Any]:
    """The card, once the files are known to be those that it names; once a process.

    Raises InfrastructureError where a file is missing or another one.
    """
    card = installed_card() or {"files": {}}
    for path in (model, tokenizer):
        try:
            with path.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise _damaged(f"{path} can't be read: {error.strerror}") from error
        if found != card["files"].get(path.name):
            raise _damaged(f"{path} is not the file that its card names (sha256 {found[:12]})")
    return card


def _words(card: Mapping[str, Any]) -> dict[str, WordOdds]:
    try:
        return {kind: WordOdds(**odds) for kind, odds in card.get("words", {}).items()}
    except (TypeError, ValueError) as error:
        raise _of_another_age("its card's figures for words are others") from error


def _of_another_age(why: str) -> InfrastructureError:
    return InfrastructureError(f"the installed jw-eval-nli is of another age: {why}", hint=INSTALL)


def _damaged(what: str) -> InfrastructureError:
    return InfrastructureError(what, hint="pip install --force-reinstall --no-deps jw-eval-nli")


class EmbeddedModel(InferenceModel):
    """Three classes by onnxruntime, one pair a call and one thread, so that nothing else matters.

    Raises InfrastructureError where a package is missing or a file damaged.
    """

    def __init__(self) -> None:
        missing = next((name for name in _NEEDED if find_spec(name) is None), None)
        if missing:
            raise InfrastructureError(
                f"the embedded contradiction model needs {missing}", hint=INSTALL
            )
        import jw_eval_nli

        missing = next((name for name in _OFFERED if not hasattr(jw_eval_nli, name)), None)
        if missing:
            raise _of_another_age(f"it has no {missing}")
        self._files = jw_eval_nli.MODEL, jw_eval_nli.TOKENIZER
        card = verified(*self._files)
        self.label, self.revision = label_of(card), revision_of(card)
        self.runtime = f"onnxruntime {version('onnxruntime')}"
        self.window = int(card["window"])
        self._order = [card["classes"].index(name) for name in CLASSES]
        self._start, self._end = card["special"]["bos"], card["special"]["eos"]
        self._unknown = card["special"]["unk"]
        self._words = _words(card)

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        with self._loading("onnxruntime"):
            return onnxruntime.InferenceSession(
                str(self._files[0]), options, providers=["CPUExecutionProvider"]
            )

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        with self._loading("tokenizers"):
            return Tokenizer.from_file(str(self._files[1]))

    @contextmanager
    def _loading(self, package: str) -> Iterator[None]:
        """Around what a package of another age may refuse. Raises InfrastructureError."""
        try:
            yield
        except Exception as error:
            raise InfrastructureError(
                f"{self.label} can't be loaded by {package} {version(package)}:"
                f" {' '.join(str(error).split())[:200]}",
                hint=f"pip install --upgrade {package}",
            ) from error

    def of_kind(self, kind: str) -> InferenceModel:
        """Pooled with the words' opinion, where the card has figures for the kind."""
        odds = self._words.get(kind)
        return self if odds is None else WithWordOdds(self, odds)

    def infer(self, pairs: Sequence[tuple[str, str]]) -> list[Inference]:
        """A pair at a time and without padding, so that batches change nothing."""
        return [self._infer(*pair) for pair in pairs]

    def _infer(self, premise: str, hypothesis: str) -> Inference:
        import numpy as np

        ids, segments = self._input(premise, hypothesis)
        if len(ids) > self.window:
            raise UsageError(
                f"{len(ids)} tokens are too many for {self.label} ({self.window})",
                hint="shorten the golden answer's sentences",
            )
        fed = {"ids": ids, "segments": segments, "attention": [1] * len(ids)}
        arrays = {name: np.array([row], dtype=np.int64) for name, row in fed.items()}
        (logits,) = self._session.run(None, arrays)
        return inference_of(np.asarray(logits[0], dtype=np.float64), self._order)

    def _input(self, premise: str, hypothesis: str) -> tuple[list[int], list[int]]:
        """`<s> premise </s> </s> hypothesis </s>`, and the segments that the weights read."""
        import jw_eval_nli

        first, second = (
            self._tokenizer.encode(text, add_special_tokens=False) for text in (premise, hypothesis)
        )
        self._check_readable(premise, first)
        self._check_readable(hypothesis, second)
        ids = [self._start, *first.ids, self._end, self._end, *second.ids, self._end]
        return ids, jw_eval_nli.segments_of(premise, hypothesis, first.offsets, second.offsets)

    def _check_readable(self, text: str, tokens: Any) -> None:
        """Where there are no pieces nothing is read, and whatever is said would seem to follow."""
        spans = zip(tokens.ids, tokens.offsets, strict=True)
        unknown = sum(end - start for one, (start, end) in spans if one == self._unknown)
        if 2 * unknown > sum(not c.isspace() for c in text):
            raise UsageError(
                f"{self.label} has no pieces for most of “{text[:60]}”",
                hint="it reads Spanish, English and Portuguese",
            )
