"""From a name to an agent: the configuration, demonstration agents if asked for, entry points,
then the preset. What is configured and cannot be loaded is an error, never a fall-through.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from jw_eval_store.agents.interface import Agent
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.settings import AgentSettings, Settings

ENTRY_POINTS = ("jw_eval.agents", "jw_agent_toolkit.agents")

TOOLKIT = {
    "apologetics": AgentSettings(target="jw_agents.apologetics:apologetics"),
    "verse_explainer": AgentSettings(
        target="jw_agents.verse_explainer:verse_explainer", rename={"reference": "text"}
    ),
    "research_topic": AgentSettings(target="jw_agents.research_topic:research_topic"),
    "meeting_helper": AgentSettings(target="jw_agents.meeting_helper:meeting_helper"),
}
"""The preset `toolkit`: its agents declare no entry points."""


@dataclass(frozen=True)
class KnownAgent:
    """An agent that a name resolves to. `origin` says where from, and its target, for people."""

    name: str
    origin: str
    target: str
    adapter: str
    settings: AgentSettings


def known_agents(
    config: Settings, bundled: Mapping[str, AgentSettings] | None = None
) -> list[KnownAgent]:
    """All agents that can be named, sorted. `bundled`: the demonstration's, only if asked for."""
    origins = (
        ("preset toolkit", TOOLKIT if config.preset == "toolkit" else {}),
        *_entry_points(),
        ("bundled sample", bundled or {}),
        ("configuration", config.agents),
    )
    found: dict[str, KnownAgent] = {}
    for origin, agents in origins:
        for name, settings in agents.items():
            found[name] = _known(name, origin, settings, config)
    return [found[name] for name in sorted(found)]


def resolve_agents(
    config: Settings,
    root: Path,
    names: Iterable[str],
    bundled: Mapping[str, AgentSettings] | None = None,
) -> dict[str, Agent]:
    """The named agents, ready to be asked; close each one after use.

    `root` is the configuration's folder. Raises UsageError for an unknown name (with the nearest
    known one), and for a target that does not exist.
    """
    from jw_eval_store.agents.build import build_agent  # the list alone needs no adapter

    known = {agent.name: agent for agent in known_agents(config, bundled)}
    wanted = [_lookup(name, known) for name in dict.fromkeys(names)]
    agents: dict[str, Agent] = {}
    try:
        for found in wanted:
            agents[found.name] = build_agent(found.name, found.origin, found.settings, root)
    except BaseException:
        for agent in agents.values():
            agent.close()
        raise
    return agents


def _known(name: str, origin: str, settings: AgentSettings, config: Settings) -> KnownAgent:
    hosted = settings.adapter == "python" and settings.isolation == "host"
    if config.python and settings.python is None and hosted and origin != "bundled sample":
        settings = settings.model_copy(update={"python": config.python})
    if config.secrets:
        settings = settings.model_copy(update={"secrets": (*config.secrets, *settings.secrets)})
    place = f" in {settings.python}" if settings.python and settings.adapter == "python" else ""
    text = f"{origin}: {settings.target}{place}"
    return KnownAgent(name, text, settings.target, settings.adapter, settings)


def _entry_points() -> Iterable[tuple[str, dict[str, AgentSettings]]]:
    declared = metadata.entry_points()
    for group in reversed(ENTRY_POINTS):
        for point in declared.select(group=group):
            version = f" of {point.dist.name} {point.dist.version}" if point.dist else ""
            yield f"entry point {group}{version}", {point.name: AgentSettings(target=point.value)}


def _lookup(name: str, known: Mapping[str, KnownAgent]) -> KnownAgent:
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    listed = ", ".join(known) or "none; configure one under [agents.NAME]"
    raise UsageError(
        f"there is no agent {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""),
        hint=f"known agents: {listed} (see jw-eval agents list)",
    )
