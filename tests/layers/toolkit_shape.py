"""Results in the toolkit's real shape: plain dataclasses with summary and excerpt, no text."""

from __future__ import annotations

from jw_eval_store.agents.normalise import normalise
from jw_eval_store.domain.outputs import AgentOutput
from tests.toolkit_shape import AgentResult, Citation, Finding

WOL = "https://wol.jw.org/es/wol/b/r4/lp-s/nwtsty/43/3"


def finding(
    summary: str = "Un punto",
    source: str = "",
    url: str = WOL,
    excerpt: str = "",
    title: str = "",
    kind: str = "",
) -> Finding:
    metadata = {"source": source} if source else {}
    return Finding(summary, Citation(url, title, kind), excerpt, metadata)


def output(*findings: Finding, warnings: tuple[str, ...] = ()) -> AgentOutput:
    return normalise(AgentResult("pregunta", "apologetics", list(findings), list(warnings)))
