"""What the shell offers after Tab: names from the store. Silent where there is no store to read."""

from __future__ import annotations

from collections.abc import Callable

import click
from click.shell_completion import CompletionItem

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
OFFERED = 200
"""Names offered at most."""


def from_store(statement: str) -> Completer:
    """Complete with what a query gives: names that start as `:typed`, each with a remark."""

    def complete(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
        from jw_eval_store.config import load_config
        from jw_eval_store.domain.errors import JwEvalError
        from jw_eval_store.store.sqlquery import query

        try:
            config = load_config(overrides={"db": ctx.params.get("db")})
            found = query(config.database, statement, {"typed": typed}, row_limit=OFFERED)
        except JwEvalError:
            return []
        return [CompletionItem(str(value), help=str(remark)) for value, remark in found.rows]

    return complete


complete_case = from_store(
    "SELECT case_id, agent FROM v_case"
    " WHERE substr(case_id, 1, length(:typed)) = :typed ORDER BY case_id"
)
complete_agent = from_store(
    "SELECT agent, count(*) || ' cases' FROM v_case"
    " WHERE substr(agent, 1, length(:typed)) = :typed GROUP BY agent ORDER BY agent"
)
complete_language = from_store(
    "SELECT language, count(*) || ' cases' FROM v_case"
    " WHERE substr(language, 1, length(:typed)) = :typed GROUP BY language ORDER BY language"
)
complete_run = from_store(
    "SELECT run, started_at FROM v_run_summary"
    " WHERE substr(run, 1, length(:typed)) = :typed ORDER BY run DESC"
)
complete_baseline = from_store(
    "SELECT DISTINCT name, reason FROM baseline"
    " WHERE revoked_at IS NULL AND substr(name, 1, length(:typed)) = :typed ORDER BY name"
)
