"""The agents of a run: resolved by name, with their limits, closed when it ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from jw_eval_store.agents.interface import Agent
from jw_eval_store.agents.registry import KnownAgent, known_agents, resolve_agents
from jw_eval_store.agents.unavailable import UnavailableAgent
from jw_eval_store.config import Config
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.settings import AgentSettings, Settings
from jw_eval_store.runs.given import GivenAgent, given_agent

_PACKAGE = Path(__file__).resolve().parent.parent
"""The samples' answers depend on this package alone, not on the rest of a checkout."""


@dataclass(frozen=True)
class Agents:
    """Agents by name, their settings, and where each came from (for reports)."""

    by_name: Mapping[str, Agent]
    settings: Mapping[str, AgentSettings]

    @property
    def origins(self) -> dict[str, str]:
        """Where each agent came from, by name."""
        return {name: agent.origin for name, agent in self.by_name.items()}


def sample_settings(config: Config, *, demonstration: bool) -> Mapping[str, AgentSettings] | None:
    """The sample agents, only where they were asked for."""
    if not (demonstration or config.settings.samples):
        return None
    from jw_eval_store.sample import AGENTS, RENAMES

    return {
        name: AgentSettings(
            target=target,
            isolation="in_process",
            rename=RENAMES.get(name, {}),
            roots=(str(_PACKAGE),),
        )
        for name, target in AGENTS.items()
    }


@contextmanager
def open_agents(
    config: Config,
    names: Iterable[str],
    *,
    demonstration: bool,
    given: Mapping[str, GivenAgent] | None = None,
) -> Iterator[Agents]:
    """The named agents, ready to be asked; those that are given come before all others.

    One that does not exist or cannot be loaded answers every call with an error that says why, so
    that the others' cases go on. The demonstration asks the sample agents, whatever is configured.
    """
    samples = sample_settings(config, demonstration=demonstration)
    settings = config.settings
    if demonstration:
        settings = settings.model_copy(update={"agents": {}, "preset": None})
    brought = {name: given_agent(name, agent) for name, agent in (given or {}).items()}
    found = {
        name: brought.get(name) or _resolved(config, settings, name, samples)
        for name in dict.fromkeys(names)
    }
    try:
        known = {
            agent.name: agent.settings
            for agent in known_agents(settings, samples)
            if agent.name not in brought
        }
        yield Agents(found, known)
    finally:
        for agent in found.values():
            if agent not in (given or {}).values():
                agent.close()


def _resolved(
    config: Config, settings: Settings, name: str, samples: Mapping[str, AgentSettings] | None
) -> Agent:
    try:
        return resolve_agents(settings, config.root, [name], samples)[name]
    except UsageError as error:
        return UnavailableAgent(name, "unavailable", str(error))


def list_agents(config: Config, *, demonstration: bool) -> list[KnownAgent]:
    """The agents that can be named, and where each comes from; none is started."""
    return known_agents(config.settings, sample_settings(config, demonstration=demonstration))
