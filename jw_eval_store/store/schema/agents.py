"""Agents as they were when asked, and what they answered."""

from __future__ import annotations

from sqlalchemy import Index

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
