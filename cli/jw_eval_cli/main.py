"""The command `jw-eval`."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from typing import TextIO

import click

from jw_eval_cli.application import INTERRUPTED, Application

_COMMANDS = "jw_eval_cli.commands"
SECTIONS = {
    "Judge": {
        "run": (f"{_COMMANDS}.run:run", "Judge golden cases and say whether they pass."),
        "rejudge": (f"{_COMMANDS}.rejudge:rejudge", "Judge a run's answers again, without agents."),
        "review": (f"{_COMMANDS}.review:review", "Say what verdicts should have been."),
        "labels": (f"{_COMMANDS}.labels:labels", "What people said of answers, as labelled pairs."),
        "judge": (f"{_COMMANDS}.judge:judge", "The model that judges meaning: try and trust it."),
        "coverage": (f"{_COMMANDS}.coverage:coverage", "Say which golden cases are missing."),
    },
    "Golden cases": {
        "cases": (f"{_COMMANDS}.cases:cases", "Add, edit, list, lint, import and export cases."),
        "snapshots": (f"{_COMMANDS}.snapshots:snapshots", "The stored pages behind citations."),
        "drift": (f"{_COMMANDS}.drift:drift", "Issues about cited pages that changed."),
        "embeddings": (f"{_COMMANDS}.embeddings:embeddings", "The vectors of cases' texts."),
    },
    "Results": {
        "runs": (f"{_COMMANDS}.runs:runs", "List runs, and show one."),
        "diff": (
            f"{_COMMANDS}.diff:diff",
            "Compare two runs, case by case, and say why they differ.",
        ),
        "trend": (f"{_COMMANDS}.trend:trend", "Show how the share of passes moved."),
        "baseline": (
            f"{_COMMANDS}.baseline:baseline",
            "Approve a run as what later runs are compared with, list approvals, and revoke them.",
        ),
        "unstable": (
            f"{_COMMANDS}.unstable:unstable",
            "List cases that got different verdicts from the same inputs.",
        ),
        "explain": (f"{_COMMANDS}.explain:explain", "Say why CASE got its verdict."),
        "sql": (f"{_COMMANDS}.sql:sql", "Ask the database in SQL, read-only."),
        "export": (
            f"{_COMMANDS}.export:export",
            "Write all results as files that DuckDB, Spark and BigQuery read.",
        ),
    },
    "Elsewhere": {
        "mcp": (f"{_COMMANDS}.mcp:mcp", "Serve the suite to language model clients, over MCP."),
    },
    "Set-up": {
        "demo": (f"{_COMMANDS}.demo:demo", "Make a throw-away project with a history to look at."),
        "doctor": (f"{_COMMANDS}.doctor:doctor", "Check the whole set-up, and say what to do."),
        "init": (f"{_COMMANDS}.init:init", "Write a commented jw-eval.toml and policy.yaml."),
        "config": (f"{_COMMANDS}.config:config", "Where each configured value comes from."),
        "agents": (f"{_COMMANDS}.agents:agents", "The agents, and where each comes from."),
        "db": (
            f"{_COMMANDS}.db:db",
            "Upgrade, check, describe, merge, prune and back up the database.",
        ),
    },
}


@click.group(
    cls=Application,
    sections=SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="jw-eval-store", prog_name="jw-eval")
@click.option(
    "--debug",
    is_flag=True,
    envvar="JW_EVAL_DEBUG",
    help="Show the traceback of an internal error (also JW_EVAL_DEBUG=1).",
)
def cli(debug: bool) -> None:
    """Golden cases and results of agents that answer Bible questions with citations.

    Data goes to stdout, messages to stderr. Exit codes: 0 passed, 1 failed, 2 usage or an invalid
    file, 3 could not be decided, 4 internal error, 5 nothing selected, 130 interrupted.

    \b
    Example:
      jw-eval run --bundled
    """


def main(arguments: Sequence[str] | None = None, name: str = "jw-eval") -> None:
    """Run the command line (default: with the process's arguments), and end the process."""
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    code: str | int | None = 1
    try:
        cli.main(arguments, prog_name=name)
    except SystemExit as ended:
        code = ended.code
    except OSError as error:
        code = _unwritable(error)
    code = _flushed(code)
    if code == INTERRUPTED:
        _leave_hanging_threads(INTERRUPTED)
    sys.exit(code)


def _open_closed_streams() -> None:
    """Give a stream that the caller closed (`>&-`) an end; no database may take its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))


def _leave_hanging_threads(code: int) -> None:
    """End at once where a thread still waits for an agent: a normal exit would wait for it, too."""
    here = threading.current_thread()
    if any(not thread.daemon for thread in threading.enumerate() if thread is not here):
        sys.stderr.flush()
        os._exit(code)


def _flushed(code: str | int | None) -> str | int | None:
    """The exit code, after what is still in stdout's buffer went out; a closed pipe is no fault."""
    if sys.stdout.closed:  # the MCP SDK closes it at its end
        return code
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()
    except OSError as error:
        code = code or _unwritable(error)
    try:
        sys.stderr.flush()
    except OSError:
        _silence(sys.stderr)
        code = code or 3
    return code


def _unwritable(error: OSError) -> int:
    """Say that the output can't be written, as on a full disk."""
    silence_stdout()
    try:
        print(f"jw-eval: cannot write the output: {error.strerror or error}", file=sys.stderr)
        sys.stderr.flush()
    except OSError:  # it may stand on the same disk
        _silence(sys.stderr)
    return 3


def silence_stdout() -> None:
    """Let what is still written to stdout go nowhere, since nobody reads it."""
    _silence(sys.stdout)


def _silence(stream: TextIO) -> None:
    """What still waits in its buffer goes nowhere, too: Python would end with 120 for it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    main()
