"""Make the adapter that an agent's settings ask for."""

from __future__ import annotations

from pathlib import Path

from jw_eval_store.agents.fingerprints import root_folders
from jw_eval_store.agents.host.load import TargetError, extend_path, import_failure, load
from jw_eval_store.agents.host_agent import HostAgent
from jw_eval_store.agents.in_process import InProcessAgent
from jw_eval_store.agents.interface import Agent
from jw_eval_store.agents.outage import check_patterns
from jw_eval_store.agents.unavailable import UnavailableAgent
from jw_eval_store.agents.volatile import check_paths
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.settings import AgentSettings


def build_agent(name: str, origin: str, settings: AgentSettings, root: Path) -> Agent:
    """The agent, ready to be asked. Raises UsageError for settings that cannot be right."""
    check_paths(settings.volatile)
    check_patterns(settings.outage_patterns)
    if settings.adapter != "python":
        return _outside(name, origin, settings, root)
    if settings.fingerprint:
        raise UsageError(
            f"agent {name!r} is Python code and has fingerprint = {list(settings.fingerprint)!r},"
            " which is for agents outside of Python",
            hint="name the folders of its files instead: roots = [...]",
        )
    if settings.isolation == "host":
        return HostAgent(name, origin, settings, root)
    if settings.python is not None:
        raise UsageError(
            f"agent {name!r} has python = {settings.python!r} and runs in process",
            hint='remove one of python and isolation = "in_process"',
        )
    return _in_process(name, origin, settings, root)


def _outside(name: str, origin: str, settings: AgentSettings, root: Path) -> Agent:
    """Imported here, since httpx and the MCP SDK take their time."""
    if settings.adapter == "command":
        from jw_eval_store.agents.command import CommandAgent

        return CommandAgent(name, origin, settings, root)
    if settings.adapter == "http":
        from jw_eval_store.agents.http import HttpAgent

        return HttpAgent(name, origin, settings, root)
    from jw_eval_store.agents.mcp import McpAgent

    return McpAgent(name, origin, settings, root)


def _in_process(name: str, origin: str, settings: AgentSettings, root: Path) -> Agent:
    extend_path([str(root)])
    try:
        function = load(settings.target)
    except TargetError as exc:
        raise UsageError(f"agent {name!r}: {exc}", hint=exc.hint) from exc
    except KeyboardInterrupt:
        raise
    except BaseException as exc:
        return UnavailableAgent(name, origin, import_failure(exc))
    return InProcessAgent(name, origin, function, settings, root_folders(settings, root))
