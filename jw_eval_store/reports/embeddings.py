"""Cached vectors and similar cases, for people and programs."""

from __future__ import annotations

from collections.abc import Sequence

from jw_eval_store.config import Config
from jw_eval_store.reports.history import moment
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.listing import listed, listing
from jw_eval_store.reports.wording import one_line
from jw_eval_store.runs.embeddings import Warmed
from jw_eval_store.runs.registry.duplicates import near_cases
from jw_eval_store.runs.similar import SimilarText
from jw_eval_store.store.embeddings import CachedVectors
from jw_eval_store.text.plurals import plural

_SHOWN = 200


def embeddings_report(found: Sequence[CachedVectors], form: str, page: Page | None = None) -> str:
    """What the cache holds, as `table`, `json` or `csv`; sizes in bytes."""
    rows = [
        (
            each.identity.label,
            each.identity.dimension,
            each.texts,
            each.size,
            each.oldest and moment(each.oldest),
            each.newest and moment(each.newest),
        )
        for each in found
    ]
    columns = ("embedder", ">dimension", ">texts", ">bytes", "!oldest", "!newest")
    return listed(listing(columns, rows), form, page)


def warmed_text(warmed: Warmed) -> str:
    """How many texts have a vector now."""
    return f"{plural(warmed.texts, 'text')} have a vector, {warmed.computed:,} computed now\n"


def similar_report(found: Sequence[SimilarText], form: str, page: Page | None = None) -> str:
    """Similar texts as `table` (cut to a line each), `json` or `csv`, nearest first."""
    rows = [
        (each.cosine, each.case_id, each.field, _shown(each.text, form == "table"))
        for each in found
    ]
    return listed(listing((">cosine", "!case", "field", "text"), rows), form, page)


def _shown(text: str, short: bool) -> str:
    return one_line(text, _SHOWN) if short else text


def near_warnings(config: Config, case_id: str) -> list[str]:
    """A sentence for each semantic case that says nearly the same as a new one."""
    return [
        f"warning: near {each.case_id} in its {each.field.replace('_', ' ')} (cosine "
        f"{each.cosine:.2f}); see jw-eval cases similar {case_id}"
        for each in near_cases(config, case_id)
    ]
