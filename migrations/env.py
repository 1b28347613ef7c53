"""How migrations run: on the connection that the program hands over, in its transaction.

There is no alembic.ini and no offline mode: `jw-eval db upgrade` is the only way in.
"""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
