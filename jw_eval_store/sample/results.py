"""What a sample agent returns: the toolkit's dataclasses, volatile fields included."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4


def _accessed_now() -> dict[str, Any]:
    return {"accessed_at": datetime.now(UTC).isoformat()}


@dataclass
class Citation:
    """The page that a finding rests on. `accessed_at` differs at every run, as the toolkit's."""

    url: str
    title: str = ""
    kind: str = ""
    metadata: dict[str, Any] = field(default_factory=_accessed_now)


@dataclass
class Finding:
    """One thing found: what it is (`summary`) and the text itself (`excerpt`)."""

    summary: str
    citation: Citation
    excerpt: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass
class AgentResult:
    """An agent's whole answer. `trace_id` differs at every run, as the toolkit's."""

    query: str
    agent_name: str
    findings: list[Finding] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=lambda: {"trace_id": uuid4().hex})

    def to_dict(self) -> dict[str, Any]:
        """JSON form, as the toolkit's method of that name."""
        return asdict(self)
