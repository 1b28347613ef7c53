"""Every command and output in README, guides and how-tos is run, and must still hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.examples import ROOT, Command, blocks, matches, new_story

PLACES = (
    "README.md",
    "docs/howto/*.md",
    "docs/guias/*.md",
    "docs/architecture.md",
    "docs/privacy.md",
)
DOCUMENTS = sorted(path for place in PLACES for path in ROOT.glob(place))


SLOW = (
    "use-pytest.md",
    "read-a-trend.md",
    "use-from-other-programs.md",
    "add-a-case.md",
    "wire-up-your-own-agent.md",
    "set-up-ci.md",
    "move-from-the-old-suite.md",
    "eval-doctrinal.md",
)
"""Their stories take 4 to 13 s each, and what they show is tested elsewhere: `make test-long`."""


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(
            path,
            id=str(path.relative_to(ROOT)),
            marks=[pytest.mark.long] if path.name in SLOW else [],
        )
        for path in DOCUMENTS
    ],
)
def test_its_examples_hold(document: Path) -> None:
    with new_story() as story:
        for block in blocks(document.read_text(encoding="utf-8")):
            if "file" in block.options:
                story.write(block.options["file"], block.body)
            for command in block.commands:
                hold(command, *story.run(command.line))


def hold(command: Command, printed: str, code: int) -> None:
    shown = f"$ {command.line}\n{printed}"
    assert matches(command.output, printed), f"{shown}\n--- the document:\n{command.output}"
    assert code == command.exit_code, shown


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_its_links_lead_somewhere(document: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path = target.partition("#")[0]
        if path and "://" not in path:
            assert (document.parent / path).exists(), f"{document.name}: {target}"


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("run 01M8N5HJSY2SR2E5736C88588A\n", "run 01M8N70F6JGG5K3NDZFRYPWA9B\n", True),
        ("PASSED in 0.2 s\n", "PASSED in 1.9 s\n", True),
        ("a\n...\nz\n", "a\nb\nc\nz\n", True),
        ("a\n...\nz\n", "a\nb\ny\n", False),
        ("12 passed\n", "11 passed\n", False),
        ("", "something\n", False),
    ],
)
def test_outputs_are_compared_but_for_what_varies(shown: str, printed: str, same: bool) -> None:
    assert matches(shown, printed) is same
