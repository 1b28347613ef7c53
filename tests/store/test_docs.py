"""docs/schema.md is what the tables and views say."""

from __future__ import annotations

from jw_eval_store.store import docs
from jw_eval_store.store.schema import metadata
from jw_eval_store.store.views import view_docs


def test_the_page_is_current() -> None:
    current = docs.TARGET.read_text(encoding="utf-8") == docs.document()
    assert current, "run: python -m jw_eval_store.store.docs"


def test_every_table_view_and_column_is_on_the_page() -> None:
    page = docs.document()
    for table in metadata.tables.values():
        assert f"#### {table.name}\n" in page
        assert table.comment
        assert all(column.comment for column in table.columns), table.name
    for view in view_docs():
        assert f"### {view.name}\n" in page
        assert all(f"| `{column}` |" in page for column in view.columns)


def test_every_reference_is_an_edge_of_the_diagram() -> None:
    page = docs.document()
    edges = page.count("--o{")
    assert edges == sum(len(table.foreign_keys) for table in metadata.tables.values())
