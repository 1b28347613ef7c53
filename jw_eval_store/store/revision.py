"""Which file is ours, and how old: compared at every opening, without importing Alembic."""

from __future__ import annotations

APPLICATION_ID = 0x4A574556
"""`JWEV` in the file's header: tells our files from other programs' SQLite files."""

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008")
"""Schema revisions, oldest first, as in migrations/versions (a test compares them).

Every change of a table is a new revision; views are stamped apart (see `views`). A file with a
revision that is not listed here was written by a newer jw-eval.
"""

NEWEST = REVISIONS[-1]
