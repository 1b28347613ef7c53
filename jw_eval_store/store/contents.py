"""Content addresses computed again from what is stored: what `db check` compares."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from jw_eval_store.domain.cases import content_of
from jw_eval_store.domain.hashing import content_hash, json_hash
from jw_eval_store.store.connect import Connection


@dataclass(frozen=True)
class Content:
    """A table whose rows carry the content address of their own columns.

    `select` gives a name for people, the stored address, and the columns that `computed` takes.
    """

    table: str
    select: str
    computed: Callable[..., str]


def mismatches(connection: Connection) -> Iterator[tuple[str, str]]:
    """Table and name of every row whose content isn't what its address says."""
    for content in CONTENTS:
        for name, stored, *columns in connection.execute(content.select):
            if _computed(content, columns) != stored:
                yield content.table, str(name)


def _computed(content: Content, columns: list[Any]) -> str:
    """The address, or what is no address where the content can't even be read."""
    try:
        return content.computed(*columns)
    except (ValueError, TypeError, KeyError, AttributeError, zlib.error) as error:
        return f"unreadable: {error}"


def _setup(agent: str, layer: str, *inputs: str) -> str:
    version, fingerprint, embedder, judge, settings = inputs
    named = {
        "layer": version,
        "agent": fingerprint or "unknown",
        "embedder": embedder,
        "judge": judge,
        "settings": content_hash(settings),
    }
    return json_hash([agent, layer, {name: value for name, value in named.items() if value}])


CONTENTS = (
    Content(
        "case_revision (YAML)",
        "SELECT g.case_id || ' revision ' || r.number, r.source_hash, r.source"
        " FROM case_revision r JOIN golden_case g ON g.id = r.golden_case_id",
        content_hash,
    ),
    Content(
        "case_revision (content)",
        "SELECT g.case_id || ' revision ' || r.number, r.content_hash, r.definition"
        " FROM case_revision r JOIN golden_case g ON g.id = r.golden_case_id",
        lambda definition: content_hash(content_of(json.loads(definition))),
    ),
    Content("evidence", "SELECT id, content_hash, passages FROM evidence", content_hash),
    Content(
        "evidence_set",
        "SELECT s.id, s.set_hash, (SELECT json_group_array(json_array(k, h, o)) FROM ("
        "   SELECT p.fetch_key AS k, v.content_hash AS h, i.origin AS o FROM evidence_set_item i"
        "   JOIN page p ON p.id = i.page_id LEFT JOIN evidence v ON v.id = i.evidence_id"
        "   WHERE i.evidence_set_id = s.id ORDER BY p.fetch_key)) FROM evidence_set s",
        lambda items: json_hash(json.loads(items)),
    ),
    Content(
        "snapshot",
        "SELECT p.fetch_key || ' ' || s.captured_at, s.snapshot_hash, p.fetch_key, s.html,"
        " s.origin, s.captured_at, json_extract(s.versions, '$.reducer')"
        " FROM snapshot s JOIN page p ON p.id = s.page_id",
        lambda *parts: json_hash(list(parts)),
    ),
    Content(
        "http_body",
        "SELECT id, content_hash, body FROM http_body",
        lambda body: content_hash(zlib.decompress(body)),
    ),
    Content("output", "SELECT id, content_hash, body FROM output", content_hash),
    Content("prompt", "SELECT id, prompt_hash, body FROM prompt", content_hash),
    Content("policy", "SELECT id, policy_hash, body FROM policy", content_hash),
    Content("judge", "SELECT label, identity_hash, body FROM judge", content_hash),
    Content(
        "setup",
        "SELECT s.agent || ' ' || s.layer, s.setup_hash, s.agent, s.layer, s.layer_version,"
        " f.fingerprint_hash, m.identity_hash, j.identity_hash, s.settings FROM setup s"
        " LEFT JOIN agent_fingerprint f ON f.id = s.agent_fingerprint_id"
        " LEFT JOIN embedder m ON m.id = s.embedder_id LEFT JOIN judge j ON j.id = s.judge_id",
        _setup,
    ),
)
"""What can be computed again from the file alone. Fingerprints of agents and identities of
embedders cover files outside of it."""
