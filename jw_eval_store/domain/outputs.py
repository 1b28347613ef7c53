"""What an agent returned, normalised: the toolkit's shape without its volatile fields."""

from __future__ import annotations

from functools import cached_property

from pydantic import Field, JsonValue

from jw_eval_store.domain.hashing import canonical_json, content_hash
from jw_eval_store.domain.values import Value


class Citation(Value):
    """Where a finding comes from. `url` is empty where the agent gave only a label."""

    url: str = ""
    title: str = ""
    kind: str = ""
    metadata: dict[str, JsonValue] = Field(default_factory=dict)


class Finding(Value):
    """One finding. The toolkit's has `summary` and `excerpt`, the specification says `text`."""

    text: str = ""
    summary: str = ""
    excerpt: str = ""
    citation: Citation = Field(default_factory=Citation)
    metadata: dict[str, JsonValue] = Field(default_factory=dict)

    @property
    def content(self) -> str:
        """What people read of it: `text`, and `summary` and `excerpt`, a line each."""
        return "\n".join(part for part in (self.text, self.summary, self.excerpt) if part)

    @property
    def source(self) -> str | None:
        """Kind of source: `metadata.source`, else `metadata.kind`, else `citation.kind`."""
        for candidate in (
            self.metadata.get("source"),
            self.metadata.get("kind"),
            self.citation.kind,
        ):
            if isinstance(candidate, str) and candidate:
                return candidate
        return None


class AgentOutput(Value):
    """An agent's whole answer. Stored once per content."""

    query: str = ""
    agent_name: str = ""
    findings: tuple[Finding, ...] = ()
    warnings: tuple[str, ...] = ()
    metadata: dict[str, JsonValue] = Field(default_factory=dict)

    @cached_property
    def content(self) -> str:
        """Canonical JSON of the whole output."""
        return canonical_json(self.model_dump(mode="json", exclude_defaults=True))

    @cached_property
    def content_hash(self) -> str:
        """Content address of the output."""
        return content_hash(self.content)

    def answer(self) -> str:
        """The findings' text as one plain text, a paragraph each: what L3 compares."""
        return "\n\n".join(finding.content for finding in self.findings if finding.content)
