"""`jw-eval snapshots build`, `import`, `refresh` and `accept`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jw_eval_cli.commands.snapshots.choosing import case_options, citing_cases
from jw_eval_cli.options import configured, db_option, format_option
from jw_eval_cli.output import emit

if TYPE_CHECKING:
    from jw_eval_store.domain.captures import CapturedPage

evidence_option = click.option(
    "--evidence",
    type=click.Choice(("excerpt", "page")),
    default="excerpt",
    show_default=True,
    help="Keep only what carries the cases' phrases, or the whole reduced page.",
)


@click.command()
@case_options
@click.option("--missing", "which", flag_value="missing", default=True, help="Pages without one.")
@click.option("--all", "which", flag_value="all", help="All pages that the cases cite.")
@evidence_option
@format_option("text", "json")
@db_option
def build(which: str, evidence: Any, form: str, db: str | None, **asked: Any) -> None:
    """Fetch the pages that cases cite and store them as evidence; the folder is made if missing.

    By default an excerpt is kept: a site's text may often not be passed on. Fingerprints are those
    of the whole page in any case. Exit code 1 if a page is refused or lacks its phrases, 3 if one
    can't be reached.

    \b
    Examples:
      jw-eval snapshots build --missing
      jw-eval snapshots build --agent apologetics --all --evidence page
    """
    from jw_eval_cli.progress import shown_progress
    from jw_eval_store.runs.capturing import build_snapshots

    config, cases = configured(db), citing_cases(asked)
    with shown_progress("fetching") as hooks:
        pages = build_snapshots(
            config, cases, everything=which == "all", scope=evidence, progress=hooks.progress
        )
    _tell(pages, form)


@click.command("import")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--url", required=True, help="The page's address on the site.")
@evidence_option
@format_option("text", "json")
@db_option
def import_(file: Path, url: str, evidence: Any, form: str, db: str | None) -> None:
    """Store FILE, a page that was saved by hand, as the evidence of its URL.

    \b
    Example:
      jw-eval snapshots import john3.html \\
          --url https://wol.jw.org/en/wol/b/r1/lp-e/bi22/43/3
    """
    from jw_eval_store.runs.capturing import import_snapshot

    _tell([import_snapshot(configured(db), file, url, scope=evidence)], form)


@click.command()
@click.argument("urls", nargs=-1, metavar="[URL]...")
@format_option("text", "json")
@db_option
def refresh(urls: tuple[str, ...], form: str, db: str | None) -> None:
    """Fetch pages again and store their new state beside the old one (default: all pages).

    What counts does not change before `snapshots accept`. Cases whose phrases the new state lacks
    are listed. Exit code 3 if a page can't be reached.

    \b
    Example:
      jw-eval snapshots refresh https://wol.jw.org/en/wol/b/r1/lp-e/bi22/43/3
    """
    from jw_eval_cli.progress import shown_progress
    from jw_eval_store.runs.refreshing import refresh_snapshots

    config = configured(db)
    with shown_progress("fetching") as hooks:
        pages = refresh_snapshots(config, urls, progress=hooks.progress)
    _tell(pages, form)


@click.command()
@click.argument("urls", nargs=-1, metavar="[URL]...")
@click.option("--reason", default="", help="Why the new state is right; kept with it.")
@format_option("text", "json")
@db_option
def accept(urls: tuple[str, ...], reason: str, form: str, db: str | None) -> None:
    """Make the new states of pages the ones that count (default: all that wait).

    Cases whose phrases they lack are listed; earlier states stay in the database.

    \b
    Example:
      jw-eval snapshots accept https://wol.jw.org/en/wol/b/r1/lp-e/bi22/43/3 \\
          --reason "new edition"
    """
    from jw_eval_store.reports.drift import captures_report
    from jw_eval_store.runs.refreshing import accept_snapshots

    emit(captures_report(accept_snapshots(configured(db), urls, reason=reason), form))


def _tell(pages: Sequence[CapturedPage], form: str) -> None:
    """Print what was done; the exit code is that of the worst page."""
    from jw_eval_store.domain.captures import exit_code
    from jw_eval_store.reports.drift import captures_report

    emit(captures_report(pages, form))
    raise click.exceptions.Exit(exit_code(pages))
