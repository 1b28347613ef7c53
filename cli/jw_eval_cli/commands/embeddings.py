"""`jw-eval embeddings`: the vectors by which texts are compared, computed once and kept."""

from __future__ import annotations

import click

from jw_eval_cli.lazy import LazyGroup
from jw_eval_cli.options import configured, db_option, format_option, located
from jw_eval_cli.output import emit, list_page
from jw_eval_store.text.plurals import plural

bundled_option = click.option("--bundled", is_flag=True, help="With the bundled cases.")


@click.group(cls=LazyGroup)
def embeddings() -> None:
    """List, warm, prune and index the cached vectors of texts.

    \b
    Example:
      jw-eval embeddings list
    """


@embeddings.command("list")
@format_option("table", "json", "csv")
@db_option
def list_(form: str, db: str | None) -> None:
    """List what the cache holds, a row per embedder.

    \b
    Example:
      jw-eval embeddings list
    """
    from jw_eval_store.reports.embeddings import embeddings_report
    from jw_eval_store.runs.embedding_commands import list_cache

    emit(embeddings_report(list_cache(located(db)), form, list_page()))


@embeddings.command()
@bundled_option
@db_option
def warm(bundled: bool, db: str | None) -> None:
    """Compute the vectors of all cases' texts now, so that runs need not.

    \b
    Example:
      jw-eval embeddings warm
    """
    from jw_eval_store.reports.embeddings import warmed_text
    from jw_eval_store.runs.embedding_commands import warm_cache

    emit(warmed_text(warm_cache(configured(db), demonstration=bundled)))


@embeddings.command()
@click.option("--all", "everything", is_flag=True, help="Those of the embedder in use, too.")
@click.option(
    "--older-than", type=click.IntRange(min=0), metavar="DAYS",
    help="Also vectors in use so old whose text is no current case's.",
)  # fmt: skip
@db_option
def prune(everything: bool, older_than: int | None, db: str | None) -> None:
    """Delete the vectors of embedders that are not in use. They can be computed again.

    \b
    Example:
      jw-eval embeddings prune --older-than 30
    """
    from jw_eval_store.runs.embedding_commands import prune_cache

    count = prune_cache(configured(db), everything=everything, older_than_days=older_than)
    emit(f"{plural(count, 'vector')} deleted\n")


@embeddings.command()
@bundled_option
@db_option
def reindex(bundled: bool, db: str | None) -> None:
    """Make the index for `cases similar` again, and compute what is missing.

    \b
    Example:
      jw-eval embeddings reindex
    """
    from jw_eval_store.reports.embeddings import warmed_text
    from jw_eval_store.runs.embedding_commands import warm_cache

    emit(warmed_text(warm_cache(configured(db), demonstration=bundled, anew=True)))
