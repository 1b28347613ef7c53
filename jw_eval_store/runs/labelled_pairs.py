"""`labels export`: what people said of answers, as pairs to calibrate on and to train with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from jw_eval_store.config import Config
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.store.connect import reading
from jw_eval_store.store.labels import LabelledAnswer, labelled_answers

SET = "reviewed"
"""The set that exported pairs name."""


@dataclass(frozen=True)
class LabelledPairs:
    """Pairs as `judge calibrate` reads them, and how many answers people don't agree on."""

    pairs: tuple[Mapping[str, str], ...]
    disputed: int

    def as_jsonl(self) -> str:
        """A line a pair."""
        return "".join(f"{json.dumps(pair, ensure_ascii=False)}\n" for pair in self.pairs)


def labelled_pairs(config: Config) -> LabelledPairs:
    """Every reviewed answer once, of the kind that `judge.nli_kind` names.

    Answers that one person passes and another fails are left out: they say nothing for certain.
    Raises EmptySelectionError where nothing is left.
    """
    answers: list[LabelledAnswer] = []
    if config.database.exists():
        with reading(config.database) as conn:
            answers = labelled_answers(conn)
    grouped = _by_answer(answers)
    agreed = [each for each in grouped if len({one.human for one in each}) == 1]
    if not agreed:
        disputed = "people agree on none of the reviewed answers"
        raise EmptySelectionError(
            disputed if grouped else "no verdict of the semantic layer has been reviewed yet",
            hint="jw-eval review",
        )
    kind = config.settings.judge.nli_kind
    return LabelledPairs(tuple(_pair(each, kind) for each in agreed), len(grouped) - len(agreed))


def refuse_other_pairs(file: Path) -> None:
    """Raise UsageError for a file with anything but exported pairs: it may be the only copy."""
    if not file.is_file():
        return
    try:
        lines = file.read_bytes().splitlines()
        ours = all(json.loads(line)["set"] == SET for line in lines if line.strip())
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        ours = False
    if not ours:
        raise UsageError(f"{file} holds other things than reviewed pairs", hint="name another file")


def _by_answer(answers: Iterable[LabelledAnswer]) -> list[list[LabelledAnswer]]:
    """Labels on the same texts together, of each person the newest one."""
    found: dict[tuple[str, str], dict[str, LabelledAnswer]] = {}
    for one in answers:
        if text := _text(one):
            found.setdefault((one.golden_answer, text), {})[one.author] = one
    return [list(each.values()) for each in found.values()]


def _text(one: LabelledAnswer) -> str:
    return AgentOutput.model_validate_json(one.output).answer().strip()


def _pair(labels: list[LabelledAnswer], kind: str) -> dict[str, str]:
    first = labels[0]
    return {
        "reference": first.golden_answer,
        "text": _text(first),
        "label": _label(labels),
        "lang": first.language,
        "kind": kind,
        "set": SET,
        "case": first.case_id,
        "reviewer": ", ".join(sorted(one.author for one in labels)),
    }


def _label(labels: list[LabelledAnswer]) -> str:
    if labels[0].human == "pass":
        return "entailed"
    return "contradicted" if any(one.contradicted for one in labels) else "fail"
