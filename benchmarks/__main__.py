"""Measure the figures: `python -m benchmarks [NAME ...] [--quick]`."""

from __future__ import annotations

import importlib
import sys

NAMES = ("spine", "plugin", "agents", "evidence", "warehouse")


def main(arguments: list[str]) -> int:
    """Print a Markdown table of what was measured beside its target."""
    quick = "--quick" in arguments
    names = [a for a in arguments if not a.startswith("-")] or list(NAMES)
    print("| what | measured | target |\n|---|---|---|")
    for name in names:
        for row in importlib.import_module(f"benchmarks.{name}").figures(quick):
            print("| " + " | ".join(row) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
