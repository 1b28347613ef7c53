"""Open, update and close GitHub issues from the JSON report of a live run.

    jw-eval run --layer 2 --live --report json --out l2-live.json
    python scripts/eval_open_drift_issues.py l2-live.json [--dry-run] [--repo OWNER/NAME]

A door of the name that the evaluation suite's specification uses; the work is done by
`jw-eval drift issues --from FILE`.
"""

from __future__ import annotations

import sys

from jw_eval_cli.main import cli

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: eval_open_drift_issues.py l2-live.json [--dry-run] [--repo OWNER/NAME]")
    cli.main(["drift", "issues", "--from", *sys.argv[1:]], prog_name="jw-eval")
