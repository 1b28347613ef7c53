"""Fingerprints of agents that are not watched: what the configuration says identifies them."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

from jw_eval_store.agents.host.files import file_hash
from jw_eval_store.agents.replies import how_it_ended
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.hashing import content_hash
from jw_eval_store.domain.settings import AgentSettings

TIMEOUT = 30.0
"""Seconds for a command or an endpoint to say a version."""


class SilentError(Exception):
    """What is declared could not be asked now, and why: the agent is as good as unknown."""


Depends = dict[str, dict[str, str]]


def declared(settings: AgentSettings, root: Path) -> Depends | None:
    """`files` and `versions` from `fingerprint`: globs, `command: ...` and `url: ...`.

    None where nothing is declared: then it is always stale. Raises SilentError where a command or
    endpoint fails, UsageError for a glob without files, since it would never look changed.
    """
    if not settings.fingerprint:
        return None
    files: dict[str, str] = {}
    versions: dict[str, str] = {}
    for entry in settings.fingerprint:
        kind, _, rest = entry.partition(":")
        if kind not in ("command", "url"):
            files |= _matching(entry, root)
            continue
        versions[entry] = content_hash(_said(entry, kind, rest.strip(), root))
    return {"files": files, "versions": versions}


def _said(entry: str, kind: str, what: str, root: Path) -> bytes:
    try:
        return _said_by_command(what, root) if kind == "command" else _said_by(what)
    except SilentError as error:
        raise SilentError(f"fingerprint {entry!r} {error}") from None


def check_declared(settings: AgentSettings, root: Path) -> None:
    """Refuse globs that match nothing. Raises UsageError."""
    for entry in settings.fingerprint:
        if entry.partition(":")[0] not in ("command", "url"):
            _matching(entry, root)


def _matching(pattern: str, root: Path) -> dict[str, str]:
    paths = (path for path in sorted(root.glob(pattern)) if path.is_file())
    hashes = {path.relative_to(root).as_posix(): file_hash(str(path)) for path in paths}
    found = {name: digest for name, digest in hashes.items() if digest is not None}
    if not found:
        raise UsageError(
            f"fingerprint = {pattern!r} matches no file below {root}",
            hint="write a glob relative to the configuration file, `command: ...` or `url: ...`",
        )
    return found


def _said_by_command(command: str, root: Path) -> bytes:
    try:
        ran = subprocess.run(
            shlex.split(command), cwd=root, capture_output=True, timeout=TIMEOUT, check=True
        )
    except subprocess.CalledProcessError as error:
        raise SilentError(f"failed: {how_it_ended(error.returncode)}") from None
    except subprocess.TimeoutExpired:
        raise SilentError(f"failed: no answer within {TIMEOUT:g} s") from None
    except (OSError, ValueError) as error:
        raise SilentError(f"failed: {error}") from None
    return ran.stdout


def _said_by(url: str) -> bytes:
    import httpx

    try:
        return httpx.get(url, timeout=TIMEOUT).raise_for_status().content
    except httpx.HTTPStatusError as error:
        raise SilentError(f"was refused: HTTP {error.response.status_code}") from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise SilentError(f"could not be reached: {error or repr(error)}") from None


def command_line(target: str, root: Path) -> list[str]:
    """The words of a command; files among them are looked for beside the configuration, since the
    command runs in a working folder of its own.

    Raises UsageError for one that does not exist.
    """
    words = shlex.split(target)
    beside = (root / words[0]).expanduser() if words else root
    program = str(beside) if words and os.sep in words[0] else words and shutil.which(words[0])
    if not program or not os.access(program, os.X_OK) or Path(program).is_dir():
        raise UsageError(
            f"target = {target!r}: there is no program {words[0] if words else ''!r}",
            hint="write a command on the PATH, or a path relative to the configuration file",
        )
    return [program, *(_beside(word, root) for word in words[1:])]


def _beside(word: str, root: Path) -> str:
    return str(root / word) if (root / word).is_file() else word
