"""Sample agents: small, procedural, with a public-domain corpus; a demonstration, not the toolkit.

They return the toolkit's shape and serve only where asked for (`run --bundled`). What their texts
are and where they come from: corpus/SOURCES.md.
"""

from __future__ import annotations

AGENTS: dict[str, str] = {
    name: f"jw_eval_store.sample.{name}:{name}"
    for name in ("apologetics", "verse_explainer", "research_topic", "meeting_helper")
}
"""Agent name to target, as `[tool.jw-eval.agents.NAME] target` would name it."""

RENAMES: dict[str, dict[str, str]] = {
    "verse_explainer": {"reference": "text"},
}
"""Per agent, keys of a case's input that its parameter has another name for: the specification's
cases say `reference`."""
