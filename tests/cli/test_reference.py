from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_reference_in_the_docs_is_what_the_commands_say() -> None:
    generated = runpy.run_path(str(DOCS / "generate_cli.py"))["reference"]()
    written = (DOCS / "cli.md").read_text(encoding="utf-8")
    assert written == generated, "run: make docs"
