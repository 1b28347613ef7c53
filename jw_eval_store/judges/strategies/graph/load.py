"""Reading a graph from YAML: strict, and sound before anything runs.

YAML 1.2, so that `yes` and `no` are words. Ends may be written in place (`no: {score: 0}`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from io import StringIO
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.judges.strategies.graph.check import problems
from jw_eval_store.judges.strategies.graph.model import NODE, AnyNode, Graph

_READY_MADE = Path(__file__).parents[2] / "graphs"
_KEYS = {"graph", "about", "start", "nodes"}
_TARGETS = {"yes", "no", "then"}
_NAME = re.compile(r"\w[\w-]*\Z")


def ready_made() -> tuple[str, ...]:
    """Names of the graphs that come with the tool."""
    return tuple(sorted(path.stem for path in _READY_MADE.glob("*.yaml")))


def find_graph(name: str, folder: Path | None = None) -> Graph:
    """A ready-made graph by name, or one from a file (`.yaml`), relative to a folder.

    Raises UsageError for a graph that is not there or not sound.
    """
    if name in ready_made():
        return _loaded(_READY_MADE / f"{name}.yaml")
    path = (folder or Path()) / name
    if path.suffix not in (".yaml", ".yml") or not path.is_file():
        raise UsageError(
            f"there is no judge graph {name!r}",
            hint=f"name a .yaml file, or one of: {', '.join(ready_made())}",
        )
    return parse_graph(path.read_text(encoding="utf-8-sig"), str(path))


@lru_cache
def _loaded(path: Path) -> Graph:
    return parse_graph(path.read_text(encoding="utf-8"), path.name)


def parse_graph(text: str, source: str) -> Graph:
    """The graph in a YAML text; `source` names it in messages. Raises UsageError."""
    raw = _mapping(text, source)
    nodes = raw.get("nodes")
    if not isinstance(nodes, dict) or not nodes:
        raise _unsound(source, ["nodes: a mapping of node names to nodes is needed"])
    unknown = [f"{key}: unknown key" for key in raw if key not in _KEYS]
    read, faults = _nodes(nodes)
    if unknown or faults:
        raise _unsound(source, [*unknown, *faults])
    found = problems(str(raw.get("start")), read)
    if found:
        raise _unsound(source, found)
    try:
        return Graph.model_validate({**raw, "nodes": read})
    except ValidationError as error:
        raise _unsound(source, list(_in_words(error))) from error


def _mapping(text: str, source: str) -> dict[Any, Any]:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        raw = YAML(typ="safe", pure=True).load(StringIO(text))
    except YAMLError as error:
        raise _unsound(source, [" ".join(str(error).split())]) from error
    if not isinstance(raw, dict):
        raise _unsound(source, ["it is not a mapping with graph, start and nodes"])
    return raw


def _nodes(raw: Mapping[Any, Any]) -> tuple[dict[str, AnyNode], list[str]]:
    """The nodes that can be read, and what is wrong with the others."""
    read: dict[str, AnyNode] = {}
    faults: list[str] = []
    for name, body in raw.items():
        if not isinstance(name, str) or not _NAME.match(name) or not isinstance(body, dict):
            faults.append(f"node {name!r}: a name of letters and digits and a mapping are needed")
            continue
        for node, written in _with_ends(name, body).items():
            try:
                read[node] = NODE.validate_python(written)
            except ValidationError as error:
                faults += [f"node {node!r}: {words}" for words in _in_words(error)]
    return read, faults


def _with_ends(name: str, body: dict[Any, Any]) -> dict[str, dict[Any, Any]]:
    """A node, and its ends written in place as nodes of their own, named `node.answer`."""
    ends: dict[str, dict[Any, Any]] = {}

    def named(answer: Any, target: Any) -> Any:
        if not isinstance(target, dict):
            return target
        ends[f"{name}.{answer}"] = {"kind": "verdict", **target}
        return f"{name}.{answer}"

    own = {key: named(key, body[key]) if key in _TARGETS else body[key] for key in body}
    answers = own.get("answers")
    if isinstance(answers, dict):
        own["answers"] = {answer: named(answer, answers[answer]) for answer in answers}
    return {name: own, **ends}


def _in_words(error: ValidationError) -> Iterator[str]:
    for problem in error.errors(include_url=False, include_context=False):
        tags = ("task", "binary", "choice", "rule", "g_eval", "verdict")
        where = [str(part) for part in problem["loc"] if part not in tags]
        yield f"{'.'.join(where)}: {problem['msg']}" if where else problem["msg"]


def _unsound(source: str, faults: list[str]) -> UsageError:
    listed = "".join(f"\n  {fault}" for fault in faults)
    return UsageError(f"the judge graph {source} is not sound:{listed}", hint="docs/judges.md")
