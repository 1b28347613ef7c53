"""What looks at the live pages found, and how many requests were made."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

SCHEMA = """
CREATE TABLE page_check (
    id INTEGER NOT NULL,
    check_ulid TEXT NOT NULL,
    page_id INTEGER NOT NULL,
    snapshot_id INTEGER,
    status TEXT NOT NULL,
    problem INTEGER NOT NULL,
    http_status INTEGER,
    final_url TEXT,
    bytes_hash TEXT,
    text_hash TEXT,
    structure_hash TEXT,
    checked_at TEXT NOT NULL,
    detail TEXT NOT NULL,
    CONSTRAINT pk_page_check PRIMARY KEY (id),
    CONSTRAINT uq_page_check_page_id_check_ulid UNIQUE (page_id, check_ulid),
    CONSTRAINT ck_page_check_status CHECK (status IN ('unchanged', 'cosmetic', 'text_changed', 'structure_changed', 'moved', 'quote_missing', 'claim_changed', 'moved_away', 'soft_404', 'gone', 'blocked', 'unreachable', 'not_html', 'too_large', 'uncompared')),
    CONSTRAINT fk_page_check_page_id_page FOREIGN KEY(page_id) REFERENCES page (id),
    CONSTRAINT fk_page_check_snapshot_id_snapshot FOREIGN KEY(snapshot_id) REFERENCES snapshot (id)
) STRICT;

CREATE TABLE fetch_budget (
    day TEXT NOT NULL,
    host TEXT NOT NULL,
    requests INTEGER NOT NULL,
    CONSTRAINT pk_fetch_budget PRIMARY KEY (day, host)
) WITHOUT ROWID, STRICT
"""  # noqa: E501  # the check of one column is one line, as the models write it


def upgrade() -> None:
    for statement in SCHEMA.split(";\n"):
        op.execute(statement)


def downgrade() -> None:
    for table in ("fetch_budget", "page_check"):
        op.execute(f"DROP TABLE {table}")
