"""Turn whatever an agent returned into an AgentOutput, or say what came instead.

Accepted: the toolkit's result (dataclasses, objects with `to_dict()`, dicts of that shape), the
specification's findings with `text`, and a list of `{text, url, source}`. Keys beyond the shape
move into the metadata beside them, so that nothing an agent said is dropped unseen.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping
from typing import Any

from jw_eval_store.agents.host.plain import TooDeepError, plain
from jw_eval_store.agents.volatile import KNOWN_VOLATILE, drop
from jw_eval_store.domain.outputs import AgentOutput, Citation, Finding

MAX_OUTPUT = 5_000_000
"""Bytes of canonical JSON that an output may have, where nothing else is configured."""

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 120
_SHORT.maxdict = _SHORT.maxlist = 6


class BadOutputError(ValueError):
    """The agent returned something that no layer can judge; the message shows what."""


def normalise(
    result: object, *, volatile: Iterable[str] = (), max_output: int = MAX_OUTPUT
) -> AgentOutput:
    """The output of a result, without volatile fields (dotted paths, beside the known ones).

    Metadata that is not JSON becomes text (see `host.plain`); a missing text is an empty one; lone
    surrogates become U+FFFD. Raises BadOutputError for other shapes and above `max_output` bytes.
    """
    try:
        value = plain(result)
    except Exception as exc:
        cause = str(exc) if isinstance(exc, TooDeepError) else f"{type(exc).__name__}: {exc}"
        raise BadOutputError(f"the result cannot be read: {cause}") from exc
    output = _output(drop(_result(value, result), (*KNOWN_VOLATILE, *volatile)))
    try:
        size = len(output.content.encode())
    except UnicodeEncodeError:
        return normalise(_without_surrogates(value), volatile=volatile, max_output=max_output)
    except ValueError as exc:
        raise BadOutputError(f"the output cannot be written as JSON: {exc}") from exc
    if size > max_output:
        raise BadOutputError(
            f"the output has {size:,} bytes, more than max_output = {max_output:,}"
        )
    return output


def _result(value: Any, original: object) -> dict[str, Any]:
    """The toolkit's shape as a dict, or BadOutputError."""
    if isinstance(value, dict) and isinstance(value.get("findings"), list):
        found = value
    elif isinstance(value, list):
        found = {"findings": value}
    else:
        raise BadOutputError(
            f"the agent returned {_came(original)}; expected a result with a list `findings`, "
            "or a list of {text, url, source}"
        )
    return found | {"findings": [_finding(item, n) for n, item in enumerate(found["findings"])]}


def _finding(item: Any, number: int) -> dict[str, Any]:
    place = f"findings[{number}]"
    if not isinstance(item, dict) or not {"text", "summary", "excerpt"} & item.keys():
        raise BadOutputError(f"{place} is {_came(item)}; expected text, or summary and excerpt")
    rest = dict(item)
    citation = rest.pop("citation", None)
    if citation is None:
        citation = {key: rest.pop(key) for key in ("url", "title", "kind") if key in rest}
    if not isinstance(citation, dict):
        raise BadOutputError(
            f"{place}.citation is {_came(citation)}; expected a citation with a url"
        )
    return rest | {"citation": citation}


def _output(result: Mapping[str, Any]) -> AgentOutput:
    warnings = result.get("warnings")
    if warnings is not None and not isinstance(warnings, list):
        raise BadOutputError(f"warnings is {_came(warnings)}; expected a list of texts")
    return AgentOutput(
        query=_text(result, "query", "result", any_value=True),
        agent_name=_text(result, "agent_name", "result"),
        findings=tuple(_as_finding(f, n) for n, f in enumerate(result["findings"])),
        warnings=tuple(str(warning) for warning in warnings or ()),
        metadata=_metadata(result, ("query", "agent_name", "findings", "warnings"), "result"),
    )


def _as_finding(finding: Mapping[str, Any], number: int) -> Finding:
    place = f"findings[{number}]"
    citation, at = finding["citation"], f"{place}.citation"
    return Finding(
        text=_text(finding, "text", place),
        summary=_text(finding, "summary", place),
        excerpt=_text(finding, "excerpt", place),
        citation=Citation(
            url=_text(citation, "url", at),
            title=_text(citation, "title", at),
            kind=_text(citation, "kind", at),
            metadata=_metadata(citation, ("url", "title", "kind"), at),
        ),
        metadata=_metadata(finding, ("text", "summary", "excerpt", "citation"), place),
    )


def _text(holder: Mapping[str, Any], key: str, place: str, *, any_value: bool = False) -> str:
    value = holder.get(key)
    if value is None or isinstance(value, str):
        return value or ""
    if any_value:
        return str(value)
    raise BadOutputError(f"{place}.{key} is {_came(value)}; expected text")


def _metadata(holder: Mapping[str, Any], known: tuple[str, ...], place: str) -> dict[str, Any]:
    """The metadata, joined by keys that the shape does not have; metadata's own keys win."""
    metadata = holder.get("metadata")
    if metadata is not None and not isinstance(metadata, dict):
        raise BadOutputError(f"{place}.metadata is {_came(metadata)}; expected a dict")
    extra = {key: holder[key] for key in holder if key not in known and key != "metadata"}
    return extra | (metadata or {})


def _came(value: object) -> str:
    return "None" if value is None else f"{type(value).__name__} {_SHORT.repr(value)}"


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    return [_without_surrogates(item) for item in value] if isinstance(value, list) else value
