"""A folder of snapshots is written one way, and whatever doesn't fit is named and never used."""

from __future__ import annotations

from pathlib import Path

import pytest

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.evidence import Passage
from jw_eval_store.pages.manifest import MANIFEST, SnapshotEntry, file_name, new_entry
from jw_eval_store.pages.reading import load_snapshots, read_manifest, verify_folder
from jw_eval_store.pages.writing import save_snapshot, write_manifest

URL = "https://wol.jw.org/en/wol/b/r1/lp-e/bi22/43/3"
OTHER = "https://wol.jw.org/en/wol/d/r1/lp-e/1234567"
HTML = (
    '<html lang="en"><body><article id="article"><p id="p1" data-pid="1">'
    '<span class="v" id="v43-3-16-1">For God so loved the world</span></p></article></body></html>'
)


def save(folder: Path, url: str = URL, html: str = HTML) -> SnapshotEntry:
    entry = new_entry(url, "authored", "page", "2026-03-01T12:00:00Z", note="made by hand")
    return save_snapshot(folder, entry, html)


def rewrite(folder: Path, old: str, new: str) -> None:
    text = (folder / MANIFEST).read_text("utf-8")
    assert old in text
    (folder / MANIFEST).write_text(text.replace(old, new, 1), "utf-8")


def test_what_is_saved_is_loaded_with_its_origin(tmp_path: Path) -> None:
    written = save(tmp_path, URL + "/#v=43:3:16")
    snapshots, invalid = load_snapshots(tmp_path)
    assert invalid == ()
    assert snapshots[0].entry == written
    assert snapshots[0].evidence.fetch_key == URL
    assert snapshots[0].evidence.origin == "authored"
    assert snapshots[0].evidence.passages == (Passage("v43:3:16", "For God so loved the world"),)
    assert verify_folder(tmp_path) == ()
    assert (tmp_path / file_name(URL)).read_text("utf-8") == HTML


def test_saving_again_replaces_and_keeps_the_others_sorted(tmp_path: Path) -> None:
    save(tmp_path, OTHER)
    save(tmp_path)
    before = (tmp_path / MANIFEST).read_bytes()
    save(tmp_path, OTHER)
    assert (tmp_path / MANIFEST).read_bytes() == before
    save(tmp_path, html=HTML.replace("loved", "so loved"))
    assert [entry.url for entry in read_manifest(tmp_path).snapshots] == [URL, OTHER]
    assert verify_folder(tmp_path) == ()


def test_a_folder_without_manifest_is_empty_but_its_files_are_unlisted(tmp_path: Path) -> None:
    assert load_snapshots(tmp_path) == ((), ())
    assert verify_folder(tmp_path) == ()
    (tmp_path / "wol").mkdir()
    (tmp_path / "wol" / "x.html").write_text(HTML)
    assert [fault.message for fault in verify_folder(tmp_path)] == ["is not in manifest.yaml"]


def test_a_missing_file_a_changed_file_and_an_unlisted_file_are_found(tmp_path: Path) -> None:
    one, other = save(tmp_path), save(tmp_path, OTHER)
    (tmp_path / one.file).unlink()
    (tmp_path / other.file).write_text(HTML + " ", "utf-8")
    (tmp_path / "wol" / "stray.html").write_text(HTML, "utf-8")
    faults = verify_folder(tmp_path)
    assert [
        ("missing" in f.message, "changed" in f.message, "not in" in f.message) for f in faults
    ] == [
        (True, False, False),
        (False, True, False),
        (False, False, True),
    ]
    assert [fault.line for fault in faults] == [3, 11, None]
    assert all(fault.hint for fault in faults)
    assert load_snapshots(tmp_path)[0] == ()


@pytest.mark.parametrize(
    ("old", "new", "word", "line"),
    [
        ("  origin: authored\n", "", "origin", 3),
        ("origin: authored", "origin: invented", "origin", 7),
        ("  html_sha256:", "  sha:", "html_sha256", 3),
        ("scope: page", "scope: page\n  colour: red", "colour", 9),
        ("scope: page", "scope: page\n  scope: page", "given twice", 9),
        ("'2026-03-01T12:00:00Z'", "yesterday", "captured_at", 9),
        ("'2026-03-01T12:00:00Z'", "'2026-03-01T12:00:00'", "captured_at", 9),
        ("'2026-03-01T12:00:00Z'", "'9999-12-31T23:59:59-05:00'", "captured_at", 9),
        ("fetch_key: https", "fetch_key: http", "fetch_key is http:", 3),
        ("file: wol/", "file: ../wol/", "file is", 3),
        ("version: 1", "version: 2", "version is 2", 1),
        ("version: 1\n", "", "version is None", 1),
        ("version: 1", "version: 1\nsnapshot: []", "unknown key 'snapshot'", 2),
        ("- url:", "- &a\n  url:", "", None),
        ("snapshots:\n", "snapshots: {\n", "is not YAML", 3),
        ("scope: page", "scope: page\n  headers: &h {a: b}\n  versions: *h", "alias", 9),
    ],
)
def test_every_fault_of_an_entry_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, word: str, line: int | None
) -> None:
    save(tmp_path)
    rewrite(tmp_path, old, new)
    faults = verify_folder(tmp_path)
    if not word:
        assert faults == ()
        return
    assert word in faults[0].message
    assert faults[0].path.endswith(MANIFEST)
    assert faults[0].line == line


def test_one_bad_entry_does_not_hold_up_the_other(tmp_path: Path) -> None:
    save(tmp_path)
    save(tmp_path, OTHER)
    rewrite(tmp_path, "origin: authored", "origin: invented")
    snapshots, invalid = load_snapshots(tmp_path)
    assert [snapshot.entry.url for snapshot in snapshots] == [OTHER]
    assert len(invalid) == 1


def test_a_page_with_two_entries_is_refused(tmp_path: Path) -> None:
    entry = save(tmp_path)
    write_manifest(tmp_path, [entry, entry.model_copy(update={"url": URL + "#v=43:3:16"})])
    assert "two entries" in verify_folder(tmp_path)[0].message


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"[1, 2", b"- a\n", b"version: 1\nsnapshots: x\n"]
)
def test_a_broken_manifest_is_refused_and_never_overwritten(tmp_path: Path, content: bytes) -> None:
    (tmp_path / MANIFEST).write_bytes(content)
    assert load_snapshots(tmp_path)[0] == ()
    assert verify_folder(tmp_path)
    with pytest.raises(UsageError, match=MANIFEST):
        save(tmp_path)
    assert (tmp_path / MANIFEST).read_bytes() == content


@pytest.mark.parametrize("moment", ["2026-11-29T09:00:00+02:00", "2026-11-29T02:00:00-05:00"])
def test_the_moment_of_capture_is_in_utc_so_that_texts_of_it_compare(moment: str) -> None:
    entry = new_entry("https://wol.jw.org/en/wol/d/r1/lp-e/1", "captured", "page", moment)
    assert entry.captured_at.isoformat() == "2026-11-29T07:00:00+00:00"
