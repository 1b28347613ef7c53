"""What the project brings: configuration, database, folders and agents."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from jw_eval_store.config import Config
from jw_eval_store.integrations.doctor.finding import Finding, broken, fine, note
from jw_eval_store.text.plurals import plural

if TYPE_CHECKING:
    from jw_eval_store.agents.interface import Agent


def configuration(config: Config) -> Iterator[Finding]:
    """The file that holds."""
    if config.file is None:
        text = f"none in {config.root} or above, so the defaults hold"
        yield note("configuration", text, "jw-eval init")
    else:
        yield fine("configuration", str(config.file))
    yield from (note("configuration", text, "mend its name") for text in config.notices)


def database(config: Config) -> Iterator[Finding]:
    """The file, if it is there, can be used."""
    from jw_eval_store.store.connect import revision_of
    from jw_eval_store.store.revision import NEWEST

    path = config.database
    if not path.exists():
        yield from _new_database(path)
        return
    found = revision_of(path)
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        yield broken("database", f"{path} can't be written", f"chmod u+w {path}")
    elif found != NEWEST:
        yield note("database", f"{path} is of schema {found}, not {NEWEST}", "jw-eval db upgrade")
    else:
        yield fine("database", f"{path}, schema {found}, {path.stat().st_size / 1e6:.1f} MB")


def _new_database(path: Path) -> Iterator[Finding]:
    folder = next(parent for parent in path.parents if parent.exists())
    if os.access(folder, os.W_OK):
        yield fine("database", f"{path} is made by the first run")
    else:
        yield broken("database", f"{folder} can't be written", "name another file with --db")


def folders(config: Config) -> Iterator[Finding]:
    """The folders and the policy exist, and hold something."""
    settings = config.settings
    if not settings.cases:
        yield note("cases", "no folder is configured", 'add cases = ["golden"]: jw-eval init')
    for folder in settings.cases:
        yield _folder("cases", folder, "*.y*ml", "jw-eval cases add")
    if settings.snapshots:
        yield _folder("snapshots", settings.snapshots, "*.html", "jw-eval snapshots build")
    if settings.recordings:
        yield _folder("recordings", settings.recordings, "*.*", "jw-eval agents record")
    if settings.policy and not Path(settings.policy).is_file():
        yield broken(
            "policy", f"{settings.policy} does not exist", "jw-eval init, or mend `policy`"
        )


def _folder(part: str, folder: str, pattern: str, filled_by: str) -> Finding:
    if not Path(folder).is_dir():
        return broken(part, f"{folder} does not exist", f"create it, or mend `{part}`")
    count = sum(1 for path in Path(folder).rglob(pattern) if path.is_file())
    if not count:
        return note(part, f"{folder} is empty", filled_by)
    return fine(part, f"{folder}, {plural(count, 'file')}")


def agents(config: Config) -> Iterator[Finding]:
    """Every agent that can be named, started."""
    from jw_eval_store.runs.agents import list_agents, open_agents

    known = list_agents(config, demonstration=False)
    if not known:
        hint = "configure one under [agents.NAME], or try jw-eval run --bundled"
        yield note("agents", "none is configured", hint)
    names = [agent.name for agent in known]
    origins = {agent.name: agent.origin for agent in known}
    with open_agents(config, names, demonstration=False) as opened:
        for name in names:
            yield _agent(opened.by_name[name], origins[name])


def _agent(agent: Agent, origin: str) -> Finding:
    part = f"agent {agent.name}"
    if agent.fingerprint() is not None:
        return fine(part, origin)
    if agent.silent:
        said = f"{origin}; {agent.silent}, so its cases are run again"
        return note(part, said, "start it, or mend `fingerprint`")
    problem = _start_problem(agent)
    if problem is None:
        unknown = f"{origin}; its files are not known, so its cases are always run again"
        return note(part, unknown, _naming_files(agent))
    first, _, hint = problem.partition("\n  next: ")
    return broken(part, f"{origin}: {first}", hint or "jw-eval config show --all")


def _naming_files(agent: Agent) -> str:
    """The key that names the agent's files: folders in Python, anything that tells elsewhere."""
    from jw_eval_store.agents.outside import OutsideAgent

    if isinstance(agent, OutsideAgent):
        return "name what tells that it changed: fingerprint = [...]"
    return "name its folders: roots = [...]"


def _start_problem(agent: Agent) -> str | None:
    """Why it can't be started, if so. Only agents in Python are tried, with an empty question."""
    from jw_eval_store.agents.interface import AgentCall
    from jw_eval_store.agents.outside import OutsideAgent

    if isinstance(agent, OutsideAgent):
        return None
    reply = agent.call(AgentCall("doctor", {}, timeout=10))
    return reply.message if reply.error == "agent_unavailable" else None
