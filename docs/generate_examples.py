"""Renew the outputs shown in README, guides and how-tos: `make docs`, or with the files' names.

Look at the difference before you commit it: what changed is what users will see.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.docs.examples import new_story, renewed  # found by the line above
from tests.docs.test_documents import DOCUMENTS


def main(names: list[str]) -> None:
    """Renew the named documents, or all."""
    for path in [Path(name) for name in names] or DOCUMENTS:
        with new_story() as story:
            text = renewed(path.read_text(encoding="utf-8"), story)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
