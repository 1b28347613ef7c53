"""Files of recordings are remembered, too, so that unchanged ones are not read again."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

FILES = """CREATE TABLE synced_file (
    path TEXT NOT NULL,
    root TEXT NOT NULL,
    kind TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    revision_id INTEGER,
    snapshot_id INTEGER,
    error TEXT,
    CONSTRAINT pk_synced_file PRIMARY KEY (path),
    CONSTRAINT ck_synced_file_kind CHECK (kind IN ({kinds})),
    CONSTRAINT fk_synced_file_revision_id_case_revision
        FOREIGN KEY(revision_id) REFERENCES case_revision (id),
    CONSTRAINT fk_synced_file_snapshot_id_snapshot
        FOREIGN KEY(snapshot_id) REFERENCES snapshot (id)
) WITHOUT ROWID, STRICT
"""


def upgrade() -> None:
    _rebuild("'case', 'evidence', 'recording'", "SELECT * FROM synced_file")


def downgrade() -> None:
    _rebuild("'case', 'evidence'", "SELECT * FROM synced_file WHERE kind <> 'recording'")


def _rebuild(kinds: str, kept: str) -> None:
    op.execute(f"CREATE TEMP TABLE kept_file AS {kept}")
    op.execute("DROP TABLE synced_file")
    op.execute(FILES.format(kinds=kinds).strip())
    op.execute("INSERT INTO synced_file SELECT * FROM kept_file")
    op.execute("DROP TABLE temp.kept_file")
    op.execute("CREATE INDEX ix_synced_file_revision_id ON synced_file (revision_id)")
