"""Versions of the distributions that an agent is built from, and the sources of editable ones."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Iterable
from importlib import metadata
from typing import Optional
from urllib.parse import unquote, urlparse

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def interpreter() -> dict[str, str]:
    """The interpreter as a version: a changed one makes every result stale."""
    return {"python": f"{platform.python_implementation()} {platform.python_version()}"}


def owner(package: str) -> Optional[str]:
    """Name of the distribution that holds a top-level package; none if unknown."""
    lookup = getattr(metadata, "packages_distributions", None)
    found = lookup().get(package) if lookup is not None else None
    return found[0] if found else None


def closure(names: Iterable[str]) -> list[metadata.Distribution]:
    """The named distributions and all that they require, as far as installed."""
    found: dict[str, metadata.Distribution] = {}
    waiting = list(names)
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if name in found:
            continue
        try:
            found[name] = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        waiting += _required(found[name])
    return [found[name] for name in sorted(found)]


def versions(distributions: Iterable[metadata.Distribution]) -> dict[str, str]:
    """Name -> version, with the interpreter's."""
    return {**{d.metadata["Name"]: d.version for d in distributions}, **interpreter()}


def editable_folder(distribution: metadata.Distribution) -> Optional[str]:
    """Source folder of an editable install, whose version says nothing of its content."""
    text = distribution.read_text("direct_url.json")
    origin = json.loads(text) if text else {}
    if not origin.get("dir_info", {}).get("editable"):
        return None
    return unquote(urlparse(origin["url"]).path)


def _required(distribution: metadata.Distribution) -> list[str]:
    wanted = [r for r in distribution.requires or () if "extra ==" not in r.replace("'", '"')]
    return [match.group() for match in map(_NAME.match, wanted) if match]
