"""The toolkit's results, field by field: what its agents return, and so do the tests' agents.

It imports nothing of ours: its text also becomes part of agents that run elsewhere.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class Citation:
    url: str
    title: str = ""
    kind: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass
class Finding:
    summary: str
    citation: Citation
    excerpt: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass
class AgentResult:
    query: str
    agent_name: str
    findings: list[Finding] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)
