"""Explains a verse: its text, then a study note."""

import httpx

from jw_agents.shape import Finding
from jw_agents.shared import BOOKS, cite, new_result, page


async def verse_explainer(text, *, language="en"):
    result = new_result(text, "verse_explainer")
    number = BOOKS[text.split()[0]]
    async with httpx.AsyncClient() as client:
        for kind in ("target_verse", "study_note"):
            path = f"/{language}/bible/{number}/{kind}#v{number}:3:16"
            found = await page(client, path)
            result.findings.append(Finding(found, cite(path, text, "verse"), "", {"kind": kind}))
    return result
