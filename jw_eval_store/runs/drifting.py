"""What the newest looks at cited pages found: for a word diff, and for issues."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from jw_eval_store.config import Config
from jw_eval_store.domain.checks import PageCheck
from jw_eval_store.domain.drift import DriftPage, drift_in_report, drift_of
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.runs.capturing import keys_of
from jw_eval_store.store.checks import cited_keys, latest_checks
from jw_eval_store.store.connect import reading


def newest_checks(config: Config, urls: Sequence[str] = ()) -> list[PageCheck]:
    """The newest look at each page that cases still cite, or at the pages named.

    Raises EmptySelectionError where no page was looked at yet, or a named one was not.
    """
    with reading(config.database) as conn:
        cited = cited_keys(conn)
        checks = [check for check in latest_checks(conn) if check.fetch_key in cited]
    if not checks:
        raise EmptySelectionError("no page was looked at yet", hint="jw-eval snapshots check")
    keys = keys_of(urls, [check.fetch_key for check in checks], "was not looked at yet")
    return [check for check in checks if check.fetch_key in set(keys)]


def drift_pages(config: Config) -> list[DriftPage]:
    """The newest look at each page, for those who should hear of it.

    A page that no case cites any more is nobody's problem.
    """
    with reading(config.database) as conn:
        cited, checks = cited_keys(conn), latest_checks(conn)
    if not checks:
        raise EmptySelectionError("no page was looked at yet", hint="jw-eval snapshots check")
    forgotten = {"problem": False, "status": "not cited any more", "undecided": False}
    pages = {check.fetch_key: drift_of(check) for check in checks}
    return [
        page if key in cited else page.model_copy(update=forgotten) for key, page in pages.items()
    ]


def drift_pages_in(path: Path) -> list[DriftPage]:
    """The pages of a JSON report that `run --live` wrote. Raises UsageError, naming the file."""
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {error}") from error
    try:
        return drift_in_report(report)
    except UsageError as error:
        raise UsageError(f"{path}: {error.message}", hint=error.hint) from error
