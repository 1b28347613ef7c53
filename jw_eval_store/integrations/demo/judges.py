"""Two made-up judges for the demonstration: they count words where a model would read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

_FRAME = re.compile(r"<<<(GOLDEN|CANDIDATE) \w+\n(.*?)\n\1 \w+>>>", re.DOTALL)


def judge_of_march(prompt: str) -> str:
    """An easy-going one: a third of the golden answer's words are enough."""
    return _verdict(prompt, 0.33)


def judge_of_may(prompt: str) -> str:
    """A stricter one: two thirds of the words must be there."""
    return _verdict(prompt, 0.66)


Judge = Callable[[str], str]


def _verdict(prompt: str, wanted: float) -> str:
    texts = {name: _words(body) for name, body in _FRAME.findall(prompt)}
    golden = texts["GOLDEN"]
    share = len(golden & texts["CANDIDATE"]) / len(golden)
    verdict = "pass" if share >= wanted else "fail"
    reason = f"{share:.0%} of the golden answer's long words are there, {wanted:.0%} wanted"
    return json.dumps({"verdict": verdict, "reason": reason})


def _words(text: str) -> set[str]:
    return {word.lower() for word in re.findall(r"\w{5,}", text)}
