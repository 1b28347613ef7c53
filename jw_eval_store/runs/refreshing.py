"""Refresh snapshots and accept what came: two steps, so that evidence never changes unseen."""

from __future__ import annotations

from collections.abc import Sequence

from jw_eval_store.config import Config
from jw_eval_store.domain.captures import CapturedPage
from jw_eval_store.pages.capture import Captured, Scope
from jw_eval_store.pages.comparing.decide import check_page
from jw_eval_store.pages.fetching.results import Fetched, Validators
from jw_eval_store.pages.manifest import SnapshotEntry, new_entry
from jw_eval_store.pages.reduce import REDUCER_VERSION, reduce_page
from jw_eval_store.runs.capturing import (
    Workshop,
    capture_fetched,
    keys_of,
    lacking,
    workshop,
)
from jw_eval_store.runs.cited import known_page
from jw_eval_store.runs.fetching import Web, fetch_all
from jw_eval_store.runs.live_check import Progress
from jw_eval_store.store.checks import put_check
from jw_eval_store.store.connect import now, transaction
from jw_eval_store.store.evidence import NewSnapshot, put_snapshot
from jw_eval_store.store.snapshots import (
    SnapshotRow,
    current_snapshot,
    newest_snapshot,
    note_reason,
    pages_with_evidence,
    waiting_pages,
)
from jw_eval_store.text.urls import parse_url


def refresh_snapshots(
    config: Config,
    urls: Sequence[str] = (),
    *,
    progress: Progress = lambda done, total: None,
    web: Web | None = None,
) -> list[CapturedPage]:
    """Fetch pages again and store what came beside the current snapshots (default: all pages).

    Nothing becomes current before it is accepted. Raises EmptySelectionError for an unknown page.
    """
    from ulid import ULID

    found: list[CapturedPage] = []
    with workshop(config) as shop:
        evidence = pages_with_evidence(shop.conn)
        ours = [k for k, origin in evidence.items() if origin != "authored" and k in shop.everyone]
        keys, ulid = keys_of(urls, ours, "has no captured or imported snapshot"), str(ULID())

        def took(fetched: Fetched) -> None:
            found.append(_refreshed(shop, fetched, ulid))
            progress(len(found), len(keys))

        fetch_all(
            shop.conn,
            config,
            [(shop.everyone[key].fetch_url, Validators()) for key in keys],
            took,
            web,
        )
    return sorted(found, key=lambda page: page.fetch_key)


def _refreshed(shop: Workshop, fetched: Fetched, ulid: str) -> CapturedPage:
    key = parse_url(fetched.url).fetch_key
    current = current_snapshot(shop.conn, key)
    scope: Scope = "page" if current and current.scope == "page" else "excerpt"
    check = check_page(
        key,
        fetched,
        known_page(current),
        shop.cited(key),
        at=now(),
        structure=shop.config.settings.structure_changes,
    )
    result, captured = capture_fetched(shop, fetched, scope, keep=False)
    with transaction(shop.conn):
        put_check(shop.conn, ulid, check, snapshot=current.key if current else None)
        if captured and result.outcome == "stored":
            put_snapshot(shop.conn, _beside(captured, key), accept=False)
            result = result.model_copy(update={"outcome": "waiting"})
    reasons = result.reasons or check.reasons
    return result.model_copy(update={"status": check.status, "check": check, "reasons": reasons})


def _beside(captured: Captured, key: str) -> NewSnapshot:
    """The same content and address that the folder's file will have once it is accepted."""
    entry = captured.entry
    return NewSnapshot(
        evidence=reduce_page(captured.html, key).evidence(entry.origin),
        url=entry.url,
        html=captured.html,
        captured_at=entry.captured_at.isoformat(),
        reducer=REDUCER_VERSION,
        scope=entry.scope,
        final_url=entry.final_url,
        status=entry.status,
        headers=entry.headers,
        bytes_hash=entry.bytes_hash,
        text_hash=entry.text_hash,
        structure_hash=entry.structure_hash,
        versions=entry.versions,
    )


def accept_snapshots(
    config: Config, urls: Sequence[str] = (), *, reason: str = ""
) -> list[CapturedPage]:
    """Make the newest snapshots of pages current, in the store and in the folder.

    Default: all that wait. Cases whose phrases they lack are listed; the decision stands all the
    same. Raises EmptySelectionError where nothing waits.
    """
    with workshop(config) as shop:
        keys = keys_of(urls, waiting_pages(shop.conn), "has no snapshot that waits to be accepted")
        rows = [row for key in keys if (row := newest_snapshot(shop.conn, key))]
        shop.save([(_entry(row, reason), row.html) for row in rows])
        with transaction(shop.conn):
            for row in rows:
                note_reason(shop.conn, row.key, reason)
        return [_accepted(shop, row) for row in rows]


def _accepted(shop: Workshop, row: SnapshotRow) -> CapturedPage:
    known = known_page(row)
    assert known is not None
    key = row.evidence.fetch_key
    wanting = [one for one in shop.cited(key) if not one.stands_in(known.text)]
    return CapturedPage(fetch_key=key, outcome="stored", lacking=lacking(wanting))


def _entry(row: SnapshotRow, reason: str) -> SnapshotEntry:
    scope: Scope = "page" if row.scope == "page" else "excerpt"
    entry = new_entry(row.url, row.evidence.origin, scope, row.captured_at, reason)
    versions = {name: value for name, value in row.versions.items() if isinstance(value, str)}
    return entry.model_copy(
        update={
            "status": row.status,
            "final_url": row.final_url,
            "headers": dict(row.headers),
            "bytes_hash": row.bytes_hash,
            "text_hash": row.text_hash,
            "structure_hash": row.structure_hash,
            "versions": versions,
        }
    )
