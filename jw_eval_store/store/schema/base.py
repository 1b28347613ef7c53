"""What all tables share: the naming convention, STRICT, and short forms of common columns."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, ForeignKey, Integer, MetaData, Table, Text

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def table(name: str, comment: str, *parts: Any, rowid: bool = True) -> Table:
    """A STRICT table. Without a rowid where the primary key is the access path."""
    options: dict[str, Any] = {"sqlite_strict": True, "sqlite_with_rowid": rowid}
    return Table(name, metadata, *parts, comment=comment, **options)


def key(comment: str = "Local key; never leaves the file.") -> Column[int]:
    """The integer primary key."""
    return Column("id", Integer, primary_key=True, comment=comment)


def refers(
    name: str, target: str, comment: str, *, nullable: bool = False, primary_key: bool = False
) -> Column[int]:
    """A reference to another table's integer key."""
    return Column(
        name,
        Integer,
        ForeignKey(f"{target}.id"),
        nullable=nullable and not primary_key,
        primary_key=primary_key,
        comment=comment,
    )


def text(name: str, comment: str, *, nullable: bool = False, **options: Any) -> Column[str]:
    """A text column."""
    return Column(name, Text, nullable=nullable, comment=comment, **options)


def number(name: str, comment: str, *, nullable: bool = False, **options: Any) -> Column[int]:
    """A whole-number column."""
    return Column(name, Integer, nullable=nullable, comment=comment, **options)


def moment(name: str, comment: str, *, nullable: bool = False) -> Column[str]:
    """A point in time as text: ISO 8601, UTC, milliseconds, `Z`; so it sorts as it reads."""
    return text(name, f"{comment} ISO 8601, UTC.", nullable=nullable)


def digest(name: str, comment: str, *, nullable: bool = False, unique: bool = False) -> Column[str]:
    """A content address, `sha256:<hex>`."""
    return text(name, f"{comment} `sha256:<hex>`.", nullable=nullable, unique=unique)


def one_of(name: str, allowed: tuple[str, ...]) -> str:
    """The SQL of a check that a column holds one of the given words."""
    words = ", ".join(f"'{word}'" for word in allowed)
    return f"{name} IN ({words})"
