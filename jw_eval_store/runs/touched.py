"""Which agents' code has changed since a git revision, as far as it lies in the same checkout."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Collection, Iterator
from importlib.machinery import PathFinder
from pathlib import Path

from jw_eval_store.config import Config
from jw_eval_store.domain.settings import AgentSettings
from jw_eval_store.runs import git


def touched_agents(config: Config, revision: str) -> dict[str, bool | None]:
    """By name of each agent that can be named, whether a file of its code differs from then.

    None where no code of it is found here: an agent elsewhere may have changed unseen. Nothing is
    imported or started.
    """
    from jw_eval_store.runs.agents import list_agents

    changed = _code(config, git.changed_since(config.root, revision))
    return {
        agent.name: _touched(changed, list(_places(agent.settings, config.root)))
        for agent in list_agents(config, demonstration=False)
    }


def _code(config: Config, changed: list[Path] | None) -> list[Path] | None:
    """Without the folders of cases, pages and recordings, which are nobody's code."""
    settings = config.settings
    others = [*settings.cases, settings.snapshots, settings.recordings]
    folders = [Path(folder).resolve() for folder in others if folder]
    if changed is None:
        return None
    return [path for path in changed if not any(map(path.is_relative_to, folders))]


def _touched(changed: list[Path] | None, places: Collection[Path]) -> bool | None:
    if changed is None or not places:
        return None
    return any(path.is_relative_to(place) for path in changed for place in places)


def _places(settings: AgentSettings, root: Path) -> Iterator[Path]:
    """Files and folders of an agent's code: as configured, else where its target is found."""
    for folder in settings.roots:
        yield (root / folder).expanduser().resolve()
    for entry in settings.fingerprint:
        if entry.partition(":")[0] not in ("command", "url"):
            yield from (path.resolve() for path in root.glob(entry))
    if not settings.roots and settings.adapter == "python":
        yield from _package(settings, root)
    if settings.adapter == "command":
        words = (root / word for word in shlex.split(settings.target))
        yield from (path.resolve() for path in words if path.is_file())


def _package(settings: AgentSettings, root: Path) -> Iterator[Path]:
    """The folder of the target's top-level package, or its module's file."""
    name = settings.target.partition(":")[0].partition(".")[0]
    spec = PathFinder.find_spec(name, [*([] if settings.python else sys.path), str(root)])
    if spec is None:
        return
    if spec.submodule_search_locations:
        yield from (Path(folder).resolve() for folder in spec.submodule_search_locations)
    elif spec.origin:
        yield Path(spec.origin).resolve()
