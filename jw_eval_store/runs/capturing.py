"""Build, import, refresh and accept snapshots. Nothing is pruned: old states stay in the store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from jw_eval_store.config import Config
from jw_eval_store.domain.captures import CapturedPage, Lacking
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.domain.selections import Selection
from jw_eval_store.pages.capture import Captured, PageSource, Scope, capture
from jw_eval_store.pages.comparing.known import Cited
from jw_eval_store.pages.fetching.addresses import refusal
from jw_eval_store.pages.fetching.results import Fetched, Validators
from jw_eval_store.pages.manifest import SnapshotEntry
from jw_eval_store.pages.writing import save_snapshots
from jw_eval_store.runs.cited import CitedPage, cited_by, pages_selected
from jw_eval_store.runs.evidence import sync_snapshots
from jw_eval_store.runs.fetching import Web, fetch_all
from jw_eval_store.runs.live_check import CITING_LAYERS, Progress
from jw_eval_store.runs.snapshots import snapshots_folder
from jw_eval_store.runs.workspace import evidence_folders, sync_workspace
from jw_eval_store.store.cases import select_cases
from jw_eval_store.store.connect import Connection, writing
from jw_eval_store.store.evidence import snapshots_of_other_roots
from jw_eval_store.store.snapshots import pages_with_evidence
from jw_eval_store.store.synced import synced_files
from jw_eval_store.text.urls import parse_url

_BATCH = 50
"""Snapshots after which the manifest is written, so that an interrupt loses few."""


@dataclass(frozen=True)
class Workshop:
    """The synced store, the folder of snapshots, and who cites which page."""

    conn: Connection
    config: Config
    folder: Path
    everyone: dict[str, CitedPage]

    def cited(self, fetch_key: str) -> tuple[Cited, ...]:
        """All who cite a page."""
        page = self.everyone.get(fetch_key)
        return page.cited if page else ()

    def elsewhere(self) -> set[str]:
        """Cited pages whose evidence no configured folder holds: it is not judged by."""
        folders = evidence_folders(self.config, demonstration=False)
        return set(snapshots_of_other_roots(self.conn, [folder.as_posix() for folder in folders]))

    def save(self, items: Sequence[tuple[SnapshotEntry, str]]) -> None:
        """Write snapshots to the folder, and take it into the store, where they become current."""
        if items:
            save_snapshots(self.folder, items)
        sync_snapshots(self.conn, self.folder)


@contextmanager
def workshop(config: Config) -> Iterator[Workshop]:
    """Everything that making snapshots needs. Raises UsageError where no folder is configured."""
    with writing(config.database) as conn:
        folder = _folder(conn, config)
        sync_workspace(conn, config, demonstration=False)
        everyone = cited_by(conn, select_cases(conn, CITING_LAYERS, bundled=False))
        yield Workshop(conn, config, folder, everyone)


def _folder(conn: Connection, config: Config) -> Path:
    """The configured folder, made where it is missing. One that held evidence was moved: refused,
    since the evidence would be missed.
    """
    named = Path(config.settings.snapshots or ".")
    if not named.exists() and not synced_files(conn, named.as_posix(), "evidence"):
        named.mkdir(parents=True)
    return snapshots_folder(config, demonstration=False)


def build_snapshots(
    config: Config,
    selection: Selection = CITING_LAYERS,
    *,
    everything: bool = False,
    scope: Scope = "excerpt",
    progress: Progress = lambda done, total: None,
    web: Web | None = None,
) -> list[CapturedPage]:
    """Fetch the pages that selected cases cite and store them: those without a captured or
    imported snapshot, or all.

    A page that has good evidence keeps it where what came now lacks a phrase; one that is not the
    page asked for is refused. Raises EmptySelectionError where no selected case cites a page.
    """
    with workshop(config) as shop:
        pages = pages_selected(shop.conn, selection, bundled=False)
        there = pages_with_evidence(shop.conn)
        had = {key for key, origin in there.items() if origin != "authored"} - shop.elsewhere()
        wanted = [page.fetch_key for page in pages if everything or page.fetch_key not in had]
        return _build(shop, wanted, had, scope, progress, web)


def _build(
    shop: Workshop,
    wanted: Sequence[str],
    had: set[str],
    scope: Scope,
    progress: Progress,
    web: Web | None,
) -> list[CapturedPage]:
    found: list[CapturedPage] = []
    batch: list[tuple[SnapshotEntry, str]] = []

    def flush() -> None:
        save_snapshots(shop.folder, batch)
        batch.clear()

    def took(fetched: Fetched) -> None:
        result, captured = capture_fetched(
            shop, fetched, scope, keep=parse_url(fetched.url).fetch_key in had
        )
        found.append(result)
        if captured and result.outcome == "stored":
            batch.append((captured.entry, captured.html))
        if len(batch) >= _BATCH:
            flush()
        progress(len(found), len(wanted))

    try:
        asks = [(shop.everyone[key].fetch_url, Validators()) for key in wanted]
        fetch_all(shop.conn, shop.config, asks, took, web)
    finally:
        shop.save(batch)
    return sorted(found, key=lambda page: page.fetch_key)


def capture_fetched(
    shop: Workshop, fetched: Fetched, scope: Scope, *, keep: bool
) -> tuple[CapturedPage, Captured | None]:
    """Make what came into a snapshot. `keep`: the page has evidence that is not to get worse."""
    key = parse_url(fetched.url).fetch_key
    if fetched.outcome != "page":
        refused = CapturedPage(
            fetch_key=key, outcome="refused", status=fetched.outcome, reasons=(fetched.reason,)
        )
        return refused, None
    source = PageSource(fetched.url, fetched.body, "captured", moment(), fetched.status,
                        fetched.final_url, fetched.kept_headers)  # fmt: skip
    captured = capture(source, shop.cited(key), scope)
    result = told(key, captured)
    if keep and result.lacking and result.outcome == "stored":
        reason = "it lacks phrases that the current snapshot is kept for: jw-eval snapshots refresh"
        result = result.model_copy(update={"outcome": "refused", "reasons": (reason,)})
    return result, captured


def import_snapshot(
    config: Config, file: Path, url: str, *, scope: Scope = "excerpt"
) -> CapturedPage:
    """Store a page that was saved by hand, as the evidence of its URL.

    Raises UsageError for a file that can't be read, or that is not the page of that URL.
    """
    key = parse_url(url).fetch_key
    if why := refusal(key, config.settings.hosts):
        raise UsageError(f"--url {url}: {why}", hint="give the page's address on the site")
    try:
        body, saved = file.read_bytes(), file.stat().st_mtime
    except OSError as error:
        raise UsageError(f"{file} can't be read: {error.strerror}") from error
    with workshop(config) as shop:
        cited = shop.cited(key)
        at = datetime.fromtimestamp(int(saved), UTC)
        captured = capture(PageSource(key, body, "imported", at), cited, scope)
        result = told(key, captured)
        if result.outcome == "refused":
            raise UsageError(
                f"{file} is not the page {key}: {'; '.join(result.reasons)}",
                hint="save the page again from that very address, as HTML",
            )
        shop.save([(captured.entry, captured.html)])
    return result


def told(key: str, captured: Captured) -> CapturedPage:
    """What is to be said of a captured page; one that is not the page asked for is refused."""
    return CapturedPage(
        fetch_key=key,
        outcome="refused" if captured.unproven else "stored",
        reasons=captured.unproven,
        lacking=lacking(captured.lacking),
    )


def lacking(cited: Iterable[Cited]) -> tuple[Lacking, ...]:
    """The cases that are not borne out, for people."""
    return tuple(Lacking(case_id=c.case_id, url=c.url, phrases=c.phrases) for c in cited)


def moment() -> datetime:
    """Now, in whole milliseconds, as the manifest keeps it."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


def keys_of(urls: Sequence[str], known: Iterable[str], lacks: str) -> list[str]:
    """Fetch keys of the pages that a person named; all known ones for none.

    Raises EmptySelectionError for a page that is none of them, or where there is none; `lacks`
    says what is wrong with such a page.
    """
    listed = list(known)
    for url in urls:
        if parse_url(url).fetch_key not in listed:
            from jw_eval_store.text.nearest import did_you_mean

            raise EmptySelectionError(f"{url} {lacks}", hint=did_you_mean(url, listed))
    if not listed:
        raise EmptySelectionError(f"every page {lacks}", hint="jw-eval snapshots list")
    return [parse_url(url).fetch_key for url in urls] or listed
