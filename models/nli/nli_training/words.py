"""The word lists of `words/`, by the name of their file; all of them written for this project."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent.parent / "words"


@cache
def word_lists(name: str) -> dict[str, dict[str, Any]]:
    """`changes`, `scenes` or `chat`; read once."""
    read: dict[str, dict[str, Any]] = yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))
    return read
