"""Suggests comments for a meeting, from its page."""

import httpx

from jw_agents.shape import Finding
from jw_agents.shared import cite, new_result, page, prompt


async def meeting_helper(input_text, *, language="en"):
    result = new_result(input_text, "meeting_helper")
    async with httpx.AsyncClient() as client:
        text = await page(client, f"/{language}/meeting/{len(input_text)}")
    for number in (1, 2):
        comment = prompt("comment.j2").format(number=number, text=text)
        citation = cite(f"/{language}/meeting", "Meeting", "page")
        result.findings.append(Finding(comment, citation, "", {"kind": "suggest_comment"}))
    return result
