"""`jw-eval mcp`: the suite for language model clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from jw_eval_cli.options import db_option

if TYPE_CHECKING:
    from jw_eval_store.integrations.mcp_server import Transport


@click.command()
@click.option("--http", is_flag=True, help="Serve streamable HTTP on this machine, not stdio.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option("--bundled", is_flag=True, help="Serve the bundled cases and sample agents.")
@db_option
def mcp(http: bool, port: int, bundled: bool, db: str | None) -> None:
    """Serve the suite to language model clients, over MCP.

    Tools: run_eval_suite, list_cases, show_case, coverage, diff, explain, query. Over HTTP the
    address is http://127.0.0.1:PORT/mcp. Needs the extra `mcp`.

    \b
    Examples:
      jw-eval mcp
      jw-eval mcp --http --port 8123
    """
    from jw_eval_store.domain.errors import UsageError

    try:
        from jw_eval_store.integrations.mcp_server import serve
    except ModuleNotFoundError as error:
        hint = "pip install 'jw-eval-store[mcp]'"
        raise UsageError(f"the MCP SDK is missing ({error})", hint=hint) from error
    transport: Transport = "streamable-http" if http else "stdio"
    serve(transport, db, bundled=bundled, port=port)
