"""Fingerprints of agents: what the host found, with the adapter's own options."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from jw_eval_store.agents.interface import AgentFingerprint
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.hashing import content_hash
from jw_eval_store.domain.settings import AgentSettings

_OPTIONS = {
    "adapter",
    "target",
    "tool",
    "isolation",
    "rename",
    "network",
    "loopback",
    "match_on",
    "volatile",
    "outage_patterns",
    "max_output",
}
"""What may give another answer, or have an answer refused. A machine's limits are none of it."""


def fingerprint_of(
    agent: str,
    origin: str,
    settings: AgentSettings,
    depends: Mapping[str, Mapping[str, str]] | None,
) -> AgentFingerprint | None:
    """From what an agent depends on (`files`, `versions`); none: unknown."""
    if depends is None:
        return None
    options = settings_fingerprint(settings)
    return AgentFingerprint(agent, origin, depends["files"], depends["versions"], options)


def root_folders(settings: AgentSettings, base: Path) -> dict[str, str]:
    """Configured roots by label: as written, or the last part of an absolute one.

    Raises UsageError for a folder that does not exist, since it would never look changed.
    """
    found: dict[str, str] = {}
    for root in settings.roots:
        path = (base / root).expanduser().resolve()
        if not path.is_dir():
            fault = "is no folder" if path.exists() else "does not exist"
            raise UsageError(
                f"roots = {root!r}: {path} {fault}",
                hint="name folders, relative to the configuration file",
            )
        label = path.name if Path(root).is_absolute() else Path(root).as_posix()
        found[str(path) if label in found else label] = str(path)
    return found


def settings_fingerprint(settings: AgentSettings) -> dict[str, str]:
    """The adapter's options, and the listed environment variables as digests: may be secrets."""
    options = settings.model_dump(mode="json", exclude_defaults=True, include=_OPTIONS)
    environment = {
        f"env {name}": content_hash(os.environ[name]) for name in settings.env if name in os.environ
    }
    return {key: str(value) for key, value in options.items()} | environment
