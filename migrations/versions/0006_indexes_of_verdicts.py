"""Verdicts by case and setup, and those that are no pass: what is reused, and what wavered."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("DROP INDEX ix_evaluation_golden_case_id")
    op.execute(
        "CREATE INDEX ix_evaluation_golden_case_id_setup_id"
        " ON evaluation (golden_case_id, setup_id)"
    )
    op.execute(
        "CREATE INDEX ix_evaluation_not_passed ON evaluation (golden_case_id)"
        " WHERE verdict <> 'pass'"
    )


def downgrade() -> None:
    op.execute("DROP INDEX ix_evaluation_not_passed")
    op.execute("DROP INDEX ix_evaluation_golden_case_id_setup_id")
    op.execute("CREATE INDEX ix_evaluation_golden_case_id ON evaluation (golden_case_id)")
