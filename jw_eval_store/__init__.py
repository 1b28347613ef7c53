"""Registry of golden cases and warehouse of results for agents that answer with citations.

The library's face, each part imported when it is first used:

- `Suite`: the cases of a project and what judges them; `suite.run()` gives a report.
- `Store`: the database of cases and results, to be read: queries, runs, diffs, explanations.
- `evaluate`: one verdict on one answer, without a database.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jw_eval_store.integrations.library.evaluating import evaluate
    from jw_eval_store.integrations.library.store import Store
    from jw_eval_store.integrations.library.suite import Suite

__all__ = ["Store", "Suite", "evaluate"]

_HOMES = {
    "Suite": "jw_eval_store.integrations.library.suite",
    "Store": "jw_eval_store.integrations.library.store",
    "evaluate": "jw_eval_store.integrations.library.evaluating",
}


def __getattr__(name: str) -> Any:
    """Import a part of the face when it is asked for (PEP 562)."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
