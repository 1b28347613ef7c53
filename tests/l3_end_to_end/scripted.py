"""A judge that answers every kind of question as a sensible one might, always in the same way."""

from __future__ import annotations

import json
from typing import Any

from tests.judges.servers import Reply

OUTPUT = "1. The golden answer's first claim.\n2. Its second one."
LABELS = {
    ("pass", "fail"): "pass",
    ("yes", "no"): "no",
    ("all", "most", "few", "none"): "all",
}


def sensible(body: dict[str, Any]) -> Reply:
    """The reply to a request of Ollama's or OpenAI's protocol, by the schema that it asks for.

    Whether something is denied: no. How much is said: all. How well: 8 of 10, or 4 where the answer
    speaks of Jehovah, so that not every verdict is the same.
    """
    schema = body.get("format") or body["response_format"]["json_schema"]["schema"]
    properties = schema["properties"]
    if "output" in properties:
        return Reply(json.dumps({"output": OUTPUT}))
    if "score" in properties:
        return _said("score", 4 if "paraíso" in body["messages"][-1]["content"] else 8)
    labels = tuple(properties["verdict"]["enum"])
    return _said("verdict", LABELS[labels])


def _said(key: str, value: str | int) -> Reply:
    """With log-probabilities, the value's own token carrying them."""
    before, after = ('": "', '"') if isinstance(value, str) else ('": ', "")
    sure = {str(value): 0.9}
    tokens = [
        ('{"', {'{"': 1.0}),
        (key, {key: 1.0}),
        (before, {before: 1.0}),
        (str(value), sure),
        (after + ', "reason": "so it is"}', {after + ', "reason": "so it is"}': 1.0}),
    ]
    return Reply(tokens=tokens)
