"""Answers a question: topic index, referenced verses, search. An outage becomes a warning."""

import httpx

from jw_agents.shape import Finding
from jw_agents.shared import BOOKS, cite, new_result, page, prompt, search


async def apologetics(question, *, language="E"):
    result = new_result(question, "apologetics")
    async with httpx.AsyncClient() as client:
        try:
            topic = await page(client, f"/{language}/topic/{question.split()[0].lower()}")
            result.findings.append(
                Finding(
                    prompt("apologetics.j2").format(topic=topic),
                    cite(f"/{language}/topic", "Topic index", "index"),
                    topic,
                    {"source": "topic_index"},
                )
            )
            for book, number in BOOKS.items():
                if book in question:
                    path = f"/{language}/bible/{number}/3#v{number}:3:16"
                    text = await page(client, path)
                    result.findings.append(
                        Finding(text, cite(path, book, "verse"), text, {"source": "verse_text"})
                    )
            for hit in await search(client, question, language):
                result.findings.append(
                    Finding(hit, cite("/search", hit, "search"), hit, {"source": "cdn_search"})
                )
        except httpx.HTTPError as error:
            result.warnings.append(f"search failed: {error!r}")
    return result
