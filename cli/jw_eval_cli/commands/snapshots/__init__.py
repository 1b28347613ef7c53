"""`jw-eval snapshots`: the stored pages behind the citations."""

from __future__ import annotations

import click

from jw_eval_cli.lazy import LazyGroup

_HERE = "jw_eval_cli.commands.snapshots"
SECTIONS = {
    "Read": {
        "list": (f"{_HERE}.reading:list_", "List the pages that have a snapshot."),
        "show": (f"{_HERE}.reading:show", "Show the snapshot of a page."),
        "verify": (f"{_HERE}.reading:verify", "Check that files, manifest and database agree."),
    },
    "Capture": {
        "build": (f"{_HERE}.capturing:build", "Fetch the cited pages and store them."),
        "import": (f"{_HERE}.capturing:import_", "Store a page that was saved by hand."),
        "refresh": (f"{_HERE}.capturing:refresh", "Store a page's new state beside the old one."),
        "accept": (f"{_HERE}.capturing:accept", "Make a new state the one that counts."),
    },
    "Live": {
        "check": (f"{_HERE}.checking:check", "Look at the cited pages on the live site."),
        "drift": (f"{_HERE}.checking:drift", "Show what changed on them, old beside new."),
    },
}


@click.group(cls=LazyGroup, sections=SECTIONS)
def snapshots() -> None:
    """The stored pages behind citations.

    \b
    Example:
      jw-eval snapshots list --bundled
    """
