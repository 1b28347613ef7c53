"""What a caller brings instead of what is configured: agents, a judge's model, an embedder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from jw_eval_store.agents.interface import Agent
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.settings import AgentSettings
from jw_eval_store.store.cases import asked_agents
from jw_eval_store.store.connect import Connection
from jw_eval_store.text.nearest import nearest

if TYPE_CHECKING:
    from jw_eval_store.judges.embedders.interface import Embedder
    from jw_eval_store.judges.interface import LlmClient

GivenAgent: TypeAlias = Agent | Callable[..., Any]
"""An agent, or a function (asynchronous or not) that takes a case's input as keywords."""

GivenJudge: TypeAlias = "LlmClient | Callable[[str], str]"
"""A model's client, or a function from a prompt to the reply's text."""


@dataclass(frozen=True)
class Given:
    """Agents by name, a judge and an embedder. What is none is taken from the configuration.

    A given judge is asked anew in every run: nobody knows what its answers depend on.
    """

    agents: Mapping[str, GivenAgent] = field(default_factory=dict)
    judge: GivenJudge | None = None
    embedder: Embedder | None = None

    @property
    def client(self) -> LlmClient | None:
        """The given judge as a client, if there is one."""
        from jw_eval_store.judges.clients.function import FunctionClient
        from jw_eval_store.judges.interface import LlmClient

        if self.judge is None or isinstance(self.judge, LlmClient):
            return self.judge
        return FunctionClient(self.judge)


def refuse_unasked(conn: Connection, agents: Iterable[str]) -> None:
    """Raise UsageError for an agent that no case asks: the configured one would be judged."""
    given = set(agents)
    if given and (unasked := given - (known := asked_agents(conn))):
        name = min(unasked)
        meant = nearest(name, known)
        raise UsageError(
            f"no case asks the given agent {name!r}",
            hint=f"did you mean {meant}?" if meant else f"known: {', '.join(sorted(known))}",
        )


def given_agent(name: str, given: GivenAgent) -> Agent:
    """The agent itself, or one that calls the function in this process. Raises UsageError."""
    if isinstance(given, Agent):
        return given
    if not callable(given):
        raise UsageError(
            f"agent {name!r} is {given!r}, which can't be called",
            hint="give a function that takes the case's input as keywords",
        )
    from jw_eval_store.agents.in_process import InProcessAgent

    label = f"{getattr(given, '__module__', '?')}:{getattr(given, '__qualname__', repr(given))}"
    settings = AgentSettings(target=label, isolation="in_process")
    return InProcessAgent(name, f"given: {label}", given, settings)
