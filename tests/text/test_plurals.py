"""One of a thing is not several."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jw_eval_store.text.plurals import plural

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("count", "said"), [(0, "0 cases"), (1, "1 case"), (2, "2 cases"), (1200, "1,200 cases")]
)
def test_a_number_takes_its_noun(count: int, said: str) -> None:
    assert plural(count, "case") == said


def test_no_message_leaves_the_number_to_the_reader() -> None:
    sources = [*ROOT.glob("jw_eval_store/**/*.py"), *ROOT.glob("cli/**/*.py")]
    assert len(sources) > 300
    lazy = re.compile(r"\w\(s\)[ :,\"']")
    found = [path.name for path in sources if lazy.search(path.read_text(encoding="utf-8"))]
    assert found == []
