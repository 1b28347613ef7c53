"""`jw-eval cases`: the registry of golden cases."""

from __future__ import annotations

import click

from jw_eval_cli.lazy import LazyGroup

_HERE = "jw_eval_cli.commands.cases"
SECTIONS = {
    "Read": {
        "list": (f"{_HERE}.reading:list_", "List golden cases."),
        "show": (f"{_HERE}.reading:show", "Show a case as YAML."),
        "history": (f"{_HERE}.reading:history", "What happened to a case, oldest first."),
        "similar": (f"{_HERE}.similar:similar", "Cases near a text or a case in meaning."),
        "diff": (f"{_HERE}.reading:diff", "What differs between two revisions of a case."),
    },
    "Change": {
        "add": (f"{_HERE}.adding:add", "Add a golden case."),
        "edit": (f"{_HERE}.editing:edit", "Change a case."),
        "archive": (f"{_HERE}.editing:archive", "Take a case out of all runs."),
        "restore": (f"{_HERE}.editing:restore", "Bring an archived case back."),
    },
    "Files": {
        "lint": (f"{_HERE}.files:lint", "Find mistakes and contradictions in cases."),
        "import": (f"{_HERE}.files:import_", "Take in cases from files and folders."),
        "export": (f"{_HERE}.files:export", "Write cases to a folder, a file each."),
    },
}


@click.group(cls=LazyGroup, sections=SECTIONS)
def cases() -> None:
    """Add, edit, list, lint, import and export cases.

    \b
    Example:
      jw-eval cases list --agent apologetics
    """
