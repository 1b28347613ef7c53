"""What the agents share: results, a client for two hosts with a token, and a cache in HOME."""

import json
import os
import uuid
from datetime import UTC, datetime
from pathlib import Path

from jw_agents.shape import AgentResult, Citation

WOL = os.environ["WOL_BASE"]
CDN = os.environ["CDN_BASE"]
BOOKS = json.loads((Path(__file__).parent / "tables" / "books.json").read_text())


def new_result(query, agent_name):
    return AgentResult(query, agent_name, metadata={"trace_id": uuid.uuid4().hex})


def cite(path, title, kind):
    stamp = datetime.now(UTC).isoformat()
    return Citation(f"https://wol.jw.org{path}", title, kind, {"accessed_at": stamp})


async def page(client, path):
    reply = await client.get(WOL + path.partition("#")[0])
    reply.raise_for_status()
    remember(path)
    return reply.text


async def search(client, query, language):
    token = (await client.get(CDN + "/tokens/jworg.jwt")).text
    reply = await client.get(
        CDN + "/apis/search",
        params={"q": query, "lang": language},
        headers={"Authorization": f"Bearer {token}"},
    )
    reply.raise_for_status()
    return reply.json()["results"]


def remember(path):
    cache = Path.home() / ".jw_agents" / "seen.txt"
    cache.parent.mkdir(exist_ok=True)
    with cache.open("a") as file:
        file.write(path + "\n")


def prompt(name):
    return (Path(__file__).parent / "prompts" / name).read_text()
