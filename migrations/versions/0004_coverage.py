"""Coverage rules of every kind, lint faults, a run's case set, and a baseline's judge."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

NEW_RULES = """
CREATE TABLE coverage_rule (
    agent TEXT NOT NULL,
    kind TEXT NOT NULL,
    what TEXT NOT NULL,
    minimum INTEGER NOT NULL,
    CONSTRAINT pk_coverage_rule PRIMARY KEY (agent, kind, what),
    CONSTRAINT ck_coverage_rule_kind CHECK (kind IN ('layer',
        'language', 'topic', 'required', 'evidence', 'recording'))
) WITHOUT ROWID, STRICT
"""
OLD_RULES = """
CREATE TABLE coverage_rule (
    agent TEXT NOT NULL,
    layer TEXT NOT NULL,
    language TEXT NOT NULL,
    minimum INTEGER NOT NULL,
    CONSTRAINT pk_coverage_rule PRIMARY KEY (agent, layer, language)
) WITHOUT ROWID, STRICT
"""
FAULTS = """
CREATE TABLE lint_fault (
    revision_id INTEGER NOT NULL,
    message TEXT NOT NULL,
    CONSTRAINT pk_lint_fault PRIMARY KEY (revision_id),
    CONSTRAINT fk_lint_fault_revision_id_case_revision FOREIGN KEY(revision_id)
        REFERENCES case_revision (id)
) WITHOUT ROWID, STRICT
"""
LINTED = """
CREATE TABLE linted_agent (
    agent TEXT NOT NULL,
    bundled INTEGER NOT NULL,
    set_hash TEXT NOT NULL,
    CONSTRAINT pk_linted_agent PRIMARY KEY (agent, bundled)
) WITHOUT ROWID, STRICT
"""


def upgrade() -> None:
    """The rules are written again by the next run; until then each stands for a layer."""
    kept = "SELECT agent, 'layer', layer || ' ' || language, minimum FROM coverage_rule"
    _rebuild(NEW_RULES, kept)
    op.execute(FAULTS)
    op.execute(LINTED)
    op.execute("ALTER TABLE run ADD COLUMN case_set_hash TEXT")
    op.execute("ALTER TABLE baseline ADD COLUMN judge TEXT")


def downgrade() -> None:
    op.execute("ALTER TABLE baseline DROP COLUMN judge")
    op.execute("ALTER TABLE run DROP COLUMN case_set_hash")
    op.execute("DROP TABLE linted_agent")
    op.execute("DROP TABLE lint_fault")
    _rebuild(OLD_RULES, "SELECT agent, kind, what, minimum FROM coverage_rule")


def _rebuild(table: str, kept: str) -> None:
    op.execute(f"CREATE TEMP TABLE kept_rule AS {kept}")
    op.execute("DROP TABLE coverage_rule")
    op.execute(table)
    op.execute("INSERT INTO coverage_rule SELECT * FROM kept_rule")
    op.execute("DROP TABLE temp.kept_rule")
