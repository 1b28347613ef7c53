"""Cited pages, their snapshots, and the texts that verdicts rest on."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer

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
