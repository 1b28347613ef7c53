"""Thresholds of models for natural language inference."""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

SCHEMA = """
CREATE TABLE inference_profile (
    id INTEGER NOT NULL,
    profile_hash TEXT NOT NULL,
    model TEXT NOT NULL,
    revision TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at TEXT NOT NULL,
    CONSTRAINT pk_inference_profile PRIMARY KEY (id),
    CONSTRAINT uq_inference_profile_profile_hash UNIQUE (profile_hash)
) STRICT
"""


def upgrade() -> None:
    op.execute(SCHEMA)


def downgrade() -> None:
    op.execute("DROP TABLE inference_profile")
