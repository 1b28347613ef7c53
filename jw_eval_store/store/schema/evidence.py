"""Cited pages, their snapshots, and the texts that verdicts rest on."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, UniqueConstraint

from jw_eval_store.domain.checks import STATUSES
from jw_eval_store.domain.evidence import ORIGINS
from jw_eval_store.store.schema.base import digest, key, moment, number, one_of, refers, table, text

page = table(
    "page",
    "A page that cases cite, by fetch key (URL without fragment and tracking parameters).",
    key(),
    text("fetch_key", "Natural key.", unique=True),
    Column(
        "current_snapshot_id",
        Integer,
        ForeignKey("snapshot.id"),
        nullable=True,
        comment="The accepted snapshot; none: the page has no evidence.",
    ),
)

evidence = table(
    "evidence",
    "Visible text of a page by anchor, stored once per content.",
    key(),
    digest("content_hash", "Content address of `passages`.", unique=True),
    text("passages", "JSON: [[anchor, text], ...] in page order."),
)

snapshot = table(
    "snapshot",
    "One state of a page. A page has many; they are never overwritten.",
    key(),
    digest("snapshot_hash", "Natural key: page, document, origin and time.", unique=True),
    refers("page_id", "page", "The page."),
    refers("evidence_id", "evidence", "Its visible text."),
    text("origin", "captured, imported or authored."),
    text("url", "The URL as it was asked for."),
    text("final_url", "The URL after redirects.", nullable=True),
    number("status", "HTTP status.", nullable=True),
    text("headers", "JSON of the response headers that matter.", nullable=True),
    text("html", "Reduced HTML."),
    digest("bytes_hash", "Content address of the whole page's bytes.", nullable=True),
    digest("text_hash", "Content address of the whole page's text in normal form.", nullable=True),
    digest("structure_hash", "Content address of the whole page's structure.", nullable=True),
    text("versions", "JSON: versions of reducer and normaliser."),
    text("scope", "excerpt (only what carries the phrases) or page."),
    moment("captured_at", "When the page was read."),
    text("reason", "Why it was accepted.", nullable=True),
    Index(None, "page_id"),
    CheckConstraint(one_of("origin", ORIGINS), name="origin"),
    CheckConstraint(one_of("scope", ("excerpt", "page")), name="scope"),
)

evidence_set = table(
    "evidence_set",
    "The evidence that one evaluation looked at.",
    key(),
    digest("set_hash", "Content address of its items.", unique=True),
)

evidence_set_item = table(
    "evidence_set_item",
    "One page of an evidence set. No evidence: the page had none.",
    refers("evidence_set_id", "evidence_set", "The set.", primary_key=True),
    refers("page_id", "page", "The page.", primary_key=True),
    refers("evidence_id", "evidence", "Its text at that time.", nullable=True),
    text("origin", "Origin of the snapshot.", nullable=True),
    rowid=False,
)

page_check = table(
    "page_check",
    "One look at a cited page on the live site. Looks are appended, never changed.",
    key(),
    text("check_ulid", "The check that it belongs to; all pages of one check share it."),
    refers("page_id", "page", "The page."),
    refers("snapshot_id", "snapshot", "The snapshot it was compared with.", nullable=True),
    text("status", "What it came to: unchanged, moved, quote_missing, ... (docs/evidence.md)."),
    number("problem", "1: those who cite the page have a problem."),
    number("http_status", "HTTP status; none: no answer.", nullable=True),
    text("final_url", "Where redirects led to.", nullable=True),
    digest("bytes_hash", "Content address of the whole page's bytes.", nullable=True),
    digest("text_hash", "Content address of its text in normal form.", nullable=True),
    digest("structure_hash", "Content address of its structure.", nullable=True),
    moment("checked_at", "When it was looked at."),
    text("detail", "JSON: reasons, changed passages, and what it means for each citation."),
    UniqueConstraint("page_id", "check_ulid"),
    CheckConstraint(one_of("status", STATUSES), name="status"),
)

fetch_budget = table(
    "fetch_budget",
    "Requests made to a host on a day, so that a day's limit holds over several checks.",
    text("day", "UTC, such as 2026-05-30.", primary_key=True),
    text("host", "The host.", primary_key=True),
    number("requests", "How many were made."),
    rowid=False,
)
