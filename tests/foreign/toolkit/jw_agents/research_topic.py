"""Researches a topic by search alone. An outage becomes a warning."""

import httpx

from jw_agents.shape import Finding
from jw_agents.shared import cite, new_result, search


async def research_topic(topic, *, language="E"):
    result = new_result(topic, "research_topic")
    async with httpx.AsyncClient() as client:
        try:
            for hit in await search(client, topic, language):
                result.findings.append(Finding(hit, cite("/search", hit, "article"), hit))
        except httpx.HTTPError as error:
            result.warnings.append(f"search failed: {error!r}")
    return result
