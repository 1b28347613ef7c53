"""Build the snapshots of all cited pages that have none: `jw-eval snapshots build`.

    python scripts/build_eval_snapshots.py [--case ID] [--agent A] [--missing|--all]

A door of the name that the evaluation suite's specification uses; the work is the command's.
"""

from __future__ import annotations

import sys

from jw_eval_cli.main import cli

if __name__ == "__main__":
    cli.main(["snapshots", "build", *sys.argv[1:]], prog_name="jw-eval")
