"""Tables of the store, one module a theme. Rows are read and written with plain SQL.

SQLAlchemy describes the tables: migrations, their tests and docs/schema.md come from here.
Importing it takes longer than most commands, so no query goes through it (docs/adr/0002).
"""

from __future__ import annotations

from jw_eval_store.store.schema import agents, cases, evidence, judging, results
from jw_eval_store.store.schema.base import metadata

__all__ = ["agents", "cases", "evidence", "judging", "metadata", "results"]
