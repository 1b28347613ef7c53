"""Why an answer needs a judge, in one line; all of it stands in the details and the steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.matching import Flag, TopicMatch


def what_is_open(
    case: SemanticCase, gate_doubts: Sequence[str], flags: Sequence[Flag], topic: TopicMatch | None
) -> str:
    """`3 differences (polarity, number), topic 0.72`."""
    parts = [*gate_doubts, *_differences(flags)]
    if case.judge.primary == "llm":
        parts.append("the case asks for one")
    elif not parts:
        parts.append("not in the golden answer's words" if topic else "nothing was compared")
    if topic is not None:
        parts.append(f"topic {topic.score:.2f}")
    return ", ".join(parts)


def _differences(flags: Iterable[Flag]) -> list[str]:
    kinds = [flag.kind.replace("_", " ") for flag in flags]
    if not kinds:
        return []
    noun = "difference" if len(kinds) == 1 else "differences"
    return [f"{len(kinds)} {noun} ({', '.join(dict.fromkeys(kinds))})"]
