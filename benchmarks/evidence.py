"""Evidence: how quick pages become snapshots, how quick a phrase is checked, how large one is."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from jw_eval_store.pages.capture import PageSource, Scope, capture
from jw_eval_store.pages.comparing.known import Cited
from jw_eval_store.pages.manifest import SnapshotEntry
from jw_eval_store.pages.reading import load_snapshots
from jw_eval_store.pages.writing import save_snapshots
from jw_eval_store.runs.evidence import sync_snapshots
from jw_eval_store.store.connect import writing
from jw_eval_store.text.passages import searchable

VERSES = 36
PHRASE = "sowed seed number 16 of field"
SEEN = datetime(2026, 3, 1, 12, tzinfo=UTC)


def figures(quick: bool) -> Iterator[tuple[str, str, str]]:
    """(what, measured, target): pages of a chapter each, with the markup of the site."""
    pages = 200 if quick else 2_000
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        size = _write_pages(root / "saved", pages)
        yield "a page as the site sends it", f"{size / 1000:.0f} kB", ""
        for scope in ("page", "excerpt"):
            yield from _build(root, pages, scope)
        yield _check_phrases(root / "page")


def _write_pages(folder: Path, pages: int) -> float:
    folder.mkdir()
    for number in range(pages):
        (folder / f"{number}.html").write_text(_page(number), encoding="utf-8")
    return sum(path.stat().st_size for path in folder.iterdir()) / pages


def _build(root: Path, pages: int, scope: Scope) -> Iterator[tuple[str, str, str]]:
    """Read, reduce, fingerprint and store every page: files, manifest and database."""
    folder = root / scope
    folder.mkdir()
    started = time.perf_counter()
    save_snapshots(folder, [_captured(root / "saved", number, scope) for number in range(pages)])
    written = time.perf_counter()
    database = root / f"{scope}.db"
    with writing(database) as conn:
        sync_snapshots(conn, folder)
    stored = time.perf_counter()
    rate, whole = pages / (written - started), pages / (stored - started)
    yield (
        f"{pages:,} pages from disk, --evidence {scope}",
        f"{whole:.0f} pages a second ({rate:.0f} without the database)",
        "",
    )
    files = sum(path.stat().st_size for path in (folder / "wol").iterdir()) / pages
    rows = database.stat().st_size / pages
    entry = (folder / "manifest.yaml").stat().st_size / pages
    measured = f"{files:.0f} bytes, {entry:.0f} of manifest, {rows:.0f} in the database"
    yield f"a snapshot, --evidence {scope}", measured, ""


def _captured(folder: Path, number: int, scope: Scope) -> tuple[SnapshotEntry, str]:
    url = f"https://wol.jw.org/en/wol/b/r1/lp-e/bi22/43/{number}"
    cited = Cited("case", f"{url}#v=43:{number}:16", (PHRASE,), "en")
    body = (folder / f"{number}.html").read_bytes()
    made = capture(PageSource(url, body, "imported", SEEN), [cited], scope)
    if made.lacking or made.unproven:
        raise RuntimeError(f"page {number}: {made.unproven} {made.lacking}")
    return made.entry, made.html


def _check_phrases(folder: Path) -> tuple[str, str, str]:
    """A phrase in a text that was not searched before: normal forms included."""
    evidence = [snapshot.evidence for snapshot in load_snapshots(folder)[0]]
    started = time.perf_counter()
    found = sum(searchable(one).holds(PHRASE) for one in evidence)
    seconds = time.perf_counter() - started
    if found != len(evidence):
        raise RuntimeError(f"the phrase was found in {found} of {len(evidence)} pages")
    text = searchable(evidence[-1])
    again = time.perf_counter()
    for _ in range(10_000):
        text.holds(PHRASE)
    repeated = (time.perf_counter() - again) / 10_000
    measured = f"{1000 * seconds / found:.2f} ms, then {1000 * repeated:.4f} ms"
    return "a phrase checked in a page of 36 verses, first and again", measured, ""


def _page(number: int) -> str:
    """A chapter in the site's shape, with its markers, navigation and scripts."""
    verses = "".join(
        f'<p id="p{verse}" data-pid="{verse}" class="sb">'
        f'<span class="v" id="v43-{number}-{verse}-1">'
        f'<strong><a class="vl vx" href="/en/wol/dx/{verse}">{verse}&nbsp;</a></strong>'
        f"And the sower went out and sowed seed\u00a0number {verse} of field {number}, "
        "and it grew by the wa\u00adter,"
        f'<a class="b" href="/en/wol/bc/{verse}">+</a> and no bird took any of it away.'
        f'<a class="fn" data-fnid="{verse}" href="#">*</a></span></p>\n'
        for verse in range(1, VERSES + 1)
    )
    menu = "".join(f'<li><a href="/en/wol/binav/{n}">Chapter {n}</a></li>' for n in range(150))
    script = f"<script nonce='{number}'>var settings = {{'build': '{'x' * 4000}'}};</script>"
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>Chapter {number}</title>{script}</head><body>'
        f'<input type="hidden" id="contentLibLangSym" value="E"><nav><ul>{menu}</ul></nav>'
        f'<article id="article" class="article pub-bi22 docClass-106"><h1>Field {number}</h1>'
        f'{verses}<div class="pswp" aria-hidden="true">Share</div></article>'
        f'<div id="study">{"<p>A note on sowing.</p>" * 40}</div>{script}</body></html>'
    )
