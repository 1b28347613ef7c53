"""Which findings cite an expected page, and what to say when none does."""

from __future__ import annotations

from collections.abc import Iterable

from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.text.urls import citation_matches, is_same_page, parse_url

_SHOWN = 5


def findings_citing(output: AgentOutput, url: str) -> tuple[int, ...]:
    """Numbers (from 1) of the findings whose citation meets an expected URL."""
    return tuple(
        number
        for number, finding in enumerate(output.findings, 1)
        if citation_matches(url, finding.citation.url)
    )


def not_cited(output: AgentOutput, url: str) -> str:
    """Why an expected URL counts as not cited, with what was cited instead."""
    cited = list(dict.fromkeys(finding.citation.url for finding in output.findings))
    urls = [candidate for candidate in cited if candidate.strip()]
    elsewhere = [candidate for candidate in urls if is_same_page(candidate, url)]
    if elsewhere:
        return f"{url} is not cited: its page is, but at {_listed(elsewhere)}"
    other_host = [candidate for candidate in urls if _same_path(candidate, url)]
    if other_host:
        return f"{url} is not cited: only the same path of another host, {_listed(other_host)}"
    return f"{url} is not cited; cited: {_listed(urls) or 'no URL at all'}"


def _same_path(one: str, other: str) -> bool:
    paths = [parse_url(url).fetch_key.partition("://")[2].partition("/")[2] for url in (one, other)]
    return bool(paths[0]) and paths[0] == paths[1]


def _listed(urls: Iterable[str]) -> str:
    listed = list(urls)
    more = len(listed) - _SHOWN
    return ", ".join(listed[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
