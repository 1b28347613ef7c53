from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from jw_eval_store.pages.reading import StoredSnapshot, load_snapshots, verify_folder
from jw_eval_store.resources import bundled
from jw_eval_store.text.urls import parse_url

if TYPE_CHECKING:
    from tests.sample.conftest import Case

SCRIPT = Path(__file__).parents[2] / "scripts" / "build_sample_evidence.py"


@pytest.fixture(scope="module")
def builder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_sample_evidence", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def snapshots() -> dict[str, StoredSnapshot]:
    found, invalid = load_snapshots(bundled("snapshots"))
    assert not invalid
    return {snapshot.entry.fetch_key: snapshot for snapshot in found}


def test_the_folder_is_sound() -> None:
    assert verify_folder(bundled("snapshots")) == ()


def test_the_folder_is_what_the_script_writes(builder: ModuleType, tmp_path: Path) -> None:
    """Renew with: python scripts/build_sample_evidence.py"""
    builder.write(tmp_path)
    written = {p.relative_to(tmp_path): p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    folder = bundled("snapshots")
    held = {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    assert held == written


def test_every_page_says_that_it_is_authored(snapshots: dict[str, StoredSnapshot]) -> None:
    for snapshot in snapshots.values():
        assert snapshot.entry.origin == "authored"
        assert "No text of the site." in snapshot.html
        assert "public-domain" in snapshot.entry.note


def test_every_page_proves_to_be_the_one_of_its_url(snapshots: dict[str, StoredSnapshot]) -> None:
    assert {key: snap.page.unproven for key, snap in snapshots.items() if snap.page.unproven} == {}


def test_every_cited_page_is_held_and_no_other(
    snapshots: dict[str, StoredSnapshot], cases: dict[str, Case]
) -> None:
    cited = {
        parse_url(citation.url).fetch_key
        for case in cases.values()
        for citation in getattr(case.expected, "expected_citations", ())
    }
    assert snapshots.keys() == cited


def test_marks_and_notes_of_the_page_are_no_evidence(snapshots: dict[str, StoredSnapshot]) -> None:
    page = snapshots["https://wol.jw.org/es/wol/b/r4/lp-s/nwt/43/3"]
    assert "El amor impulsó a Dios a dar." in page.html
    assert "El amor impulsó" not in page.evidence.text
    verse = next(p.text for p in page.evidence.passages if p.anchor == "v43:3:16")
    assert verse.startswith("Porque de tal manera amó Dios")
    assert not set(verse) & set("+*0123456789")
