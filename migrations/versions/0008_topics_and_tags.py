"""Topics that are whole numbers, and tags that are one text: earlier ones were not counted."""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

TOPICS = """
UPDATE case_revision
SET topic = CAST(json_extract(definition, '$.metadata.topic') AS TEXT)
WHERE topic IS NULL AND iif(json_valid(definition),
    json_type(definition, '$.metadata.topic'), NULL) = 'integer'
"""
TAGS = """
INSERT OR IGNORE INTO revision_tag (revision_id, tag)
SELECT id, json_extract(definition, '$.metadata.tags') FROM case_revision
WHERE iif(json_valid(definition), json_type(definition, '$.metadata.tags'), NULL) = 'text'
"""


def upgrade() -> None:
    op.execute(TOPICS)
    op.execute(TAGS)


def downgrade() -> None:
    """Nothing: what was filled in is right for the earlier revision, too."""
