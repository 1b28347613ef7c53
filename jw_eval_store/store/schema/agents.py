"""Agents as they were when asked, and what they answered."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, LargeBinary, Text

from jw_eval_store.store.schema.base import digest, key, moment, number, refers, table, text

agent_fingerprint = table(
    "agent_fingerprint",
    "All that an agent's answer depends on: its files, libraries and settings.",
    key(),
    digest("fingerprint_hash", "Natural key.", unique=True),
    text("agent", "Name of the agent."),
    text("origin", "Where it came from: bundled, configuration or entry point, and its target."),
    text("detail", "JSON: files with content hashes, distributions, environment, interpreter."),
    moment("created_at", "When it was first seen."),
)

output = table(
    "output",
    "What an agent returned, normalised and without volatile fields, stored once per content.",
    key(),
    digest("content_hash", "Natural key.", unique=True),
    text("body", "JSON in the toolkit's shape."),
)

recording = table(
    "recording",
    "The HTTP exchanges of one agent on one case, replayed so that it runs without a network.",
    key(),
    digest("content_hash", "Natural key.", unique=True),
    refers("golden_case_id", "golden_case", "The case."),
    text("agent", "Name of the agent."),
    number("size", "Bytes of all bodies."),
    moment("recorded_at", "When."),
    Index(None, "golden_case_id"),
)

current_recording = table(
    "current_recording",
    "The recording that is replayed for an agent on a case.",
    refers("golden_case_id", "golden_case", "The case.", primary_key=True),
    Column("agent", Text, primary_key=True, nullable=False, comment="Name of the agent."),
    refers("recording_id", "recording", "The newest recording."),
    moment("recorded_at", "When it was last recorded, or found unchanged."),
    rowid=False,
)

http_body = table(
    "http_body",
    "Bodies of requests and responses, stored once per content.",
    key(),
    digest("content_hash", "Natural key: of the body itself.", unique=True),
    number("size", "Bytes of the body itself."),
    Column("body", LargeBinary, nullable=False, comment="The body, compressed by zlib."),
)

http_exchange = table(
    "http_exchange",
    "One request and its response, without secrets.",
    refers("recording_id", "recording", "The recording.", primary_key=True),
    Column("position", Integer, primary_key=True, nullable=False, comment="Order, from 0."),
    text("method", "Such as GET."),
    text("url", "Without fragment, user and secrets."),
    text("request_headers", "JSON: [[name, value], ...]."),
    refers("request_body_id", "http_body", "None: empty.", nullable=True),
    number("status", "HTTP status."),
    text("headers", "JSON: [[name, value], ...]."),
    refers("body_id", "http_body", "None: empty.", nullable=True),
    Index(None, "request_body_id"),
    Index(None, "body_id"),
    rowid=False,
)

agent_used_file = table(
    "agent_used_file",
    "Files of a fingerprint that answers made under it depended on; none: on all of them.",
    refers("agent_fingerprint_id", "agent_fingerprint", "The fingerprint.", primary_key=True),
    Column(
        "path",
        Text,
        primary_key=True,
        nullable=False,
        comment="As in its detail; a folder that was listed ends with `/`.",
    ),
    rowid=False,
)
