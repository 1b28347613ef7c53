"""The folder of snapshots: `manifest.yaml` and `wol/<sha256 of the fetch key>.html`.

    version: 1
    snapshots:
    - url: https://wol.jw.org/en/wol/b/r1/lp-e/bi22/43/3
      fetch_key: https://wol.jw.org/en/wol/b/r1/lp-e/bi22/43/3
      file: wol/5c9d...e1.html
      html_sha256: 64 hex digits of the file's bytes
      origin: authored                  # captured, imported or authored
      scope: page                       # or excerpt: only what carries the cases' phrases
      captured_at: '2026-03-01T12:00:00Z'
      note: where the text comes from   # optional, as are the following
      status: 200                       # with final_url and headers, as the site answered
      bytes_hash: sha256:...            # with text_hash and structure_hash: the whole page's
      versions: {reducer: '1', normaliser: '1', url: '1'}

One entry a page, sorted by URL. Written by `writing`, read by `reading`.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, AwareDatetime, Field, StringConstraints

from jw_eval_store.domain.evidence import Origin
from jw_eval_store.domain.expectations import Url
from jw_eval_store.domain.values import Value
from jw_eval_store.text.urls import parse_url

MANIFEST = "manifest.yaml"
PAGES = "wol"
"""The folder beside it that holds the pages."""
Hex = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Digest = Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(f"{moment.isoformat()} is out of range") from error


UtcMoment = Annotated[AwareDatetime, AfterValidator(_in_utc)]
"""In UTC, whatever its time zone was: the database compares moments as texts."""


class SnapshotEntry(Value):
    """What the manifest says of one snapshot; the fields are shown in the module's text."""

    url: Url
    fetch_key: Url
    file: str
    html_sha256: Hex
    origin: Origin
    scope: Literal["excerpt", "page"]
    captured_at: UtcMoment
    note: str = ""
    status: int | None = Field(None, ge=100, le=599)
    final_url: Url | None = None
    headers: dict[str, str] = Field(default_factory=dict)
    bytes_hash: Digest | None = None
    text_hash: Digest | None = None
    structure_hash: Digest | None = None
    versions: dict[str, str] = Field(default_factory=dict)


class Manifest(Value):
    """The whole of manifest.yaml."""

    version: Literal[1]
    snapshots: tuple[SnapshotEntry, ...] = ()


def file_name(fetch_key: str) -> str:
    """The file of a page's snapshot, relative to the folder."""
    return f"{PAGES}/{hashlib.sha256(fetch_key.encode()).hexdigest()}.html"


def html_sha256(html: str) -> str:
    """Hex digest of a snapshot file's bytes."""
    return hashlib.sha256(html.encode()).hexdigest()


def new_entry(url: str, origin: Origin, scope: Literal["excerpt", "page"], captured_at: str,
              note: str = "") -> SnapshotEntry:  # fmt: skip
    """An entry for `save_snapshot` to complete. `captured_at` is ISO 8601 with its time zone."""
    key = parse_url(url).fetch_key
    return SnapshotEntry.model_validate(
        {"url": url, "fetch_key": key, "file": file_name(key), "html_sha256": "0" * 64,
         "origin": origin, "scope": scope, "captured_at": captured_at, "note": note}
    )  # fmt: skip
