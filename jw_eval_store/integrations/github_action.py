"""What the GitHub action does beside the run: its outputs, and one comment kept up to date.

    python -m jw_eval_store.integrations.github_action outputs report.json
    python -m jw_eval_store.integrations.github_action comment report.md [KEY]

A comment that can't be written (a fork's token may not) is said, and fails nothing.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from jw_eval_store.domain.errors import JwEvalError
from jw_eval_store.integrations.github_api import Api, open_api

COMMENT_LIMIT = 65_536
"""GitHub's limit, in characters."""

_ALWAYS = "2008-01-01T00:00:00Z"
"""Before any comment: all of them."""

Written = Literal["created", "updated", "kept"]


def outputs(report: Mapping[str, Any]) -> Iterator[str]:
    """The action's outputs from a JSON report, as lines `name=value`."""
    counts = report["summary"].values()
    yield f"verdict={report['gate']['verdict']}"
    yield f"exit-code={report['gate']['exit_code']}"
    yield f"run={report['run']}"
    yield f"passed={sum(layer['pass'] for layer in counts)}"
    yield f"total={sum(layer['total'] for layer in counts)}"


def put_comment(api: Api, number: int, report: str, key: str = "default") -> Written:
    """Write the pull request's comment of this key, or renew it. Raises GithubError."""
    mark = f"<!-- jw-eval {key} -->"
    body = f"{mark}\n{report}"[:COMMENT_LIMIT]
    for comment in api.all_pages(f"/issues/{number}/comments?since={_ALWAYS}"):
        before = (comment.get("body") or "").replace("\r\n", "\n")
        if before.startswith(mark):
            if before.strip() == body.strip():
                return "kept"
            api.request("PATCH", f"/issues/comments/{comment['id']}", {"body": body})
            return "updated"
    api.request("POST", f"/issues/{number}/comments", {"body": body})
    return "created"


def pull_request(environ: Mapping[str, str]) -> int | None:
    """Number of the pull request that the workflow runs for, if it does."""
    path = Path(environ.get("GITHUB_EVENT_PATH", ""))
    if not path.is_file():
        return None
    event = json.loads(path.read_text(encoding="utf-8"))
    number = event.get("pull_request", {}).get("number")
    return number if isinstance(number, int) else None


def main(arguments: list[str]) -> int:
    """One of the two; 2 for wrong usage."""
    match arguments:
        case ["outputs", file]:
            for line in outputs(json.loads(Path(file).read_text(encoding="utf-8"))):
                print(line)
        case ["comment", file, *key]:
            print(_commented(Path(file).read_text(encoding="utf-8"), *key[:1]))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


def _commented(report: str, key: str = "default") -> str:
    """What became of the comment, as a workflow command where it could not be written."""
    number = pull_request(os.environ)
    if number is None:
        return "no pull request, so no comment"
    try:
        return f"comment {put_comment(open_api(None), number, report, key)}"
    except JwEvalError as error:
        return f"::notice title=jw-eval::no comment was written: {' '.join(str(error).split())}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
