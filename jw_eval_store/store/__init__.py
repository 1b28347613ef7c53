"""The one SQLite file: the only package that knows SQLAlchemy, Alembic or sqlite3."""
