"""Versions of the distributions that an agent is built from, and the sources of editable ones."""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Iterable
from email import message_from_string
from email.message import Message
from functools import lru_cache
from importlib import metadata
from typing import Optional
from urllib.parse import unquote, urlparse

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def interpreter() -> dict[str, str]:
    """The interpreter as a version: a changed one makes every result stale."""
    return {"python": f"{platform.python_implementation()} {platform.python_version()}"}


def owner(package: str, folders: Iterable[str]) -> Optional[str]:
    """Name of the distribution that holds a top-level package in these folders; none if unknown.

    Editable installs don't list their packages: theirs are found by place.
    """
    below = [
        (len(source), name)
        for name, source in editables().items()
        if any(is_below(folder, source) for folder in folders)
    ]
    if below:
        return max(below)[1]
    if _holds(package, package):
        return package
    lookup = getattr(metadata, "packages_distributions", None)
    listed = lookup().get(package) if lookup is not None else None
    return str(listed[0]) if listed else None


def _holds(name: str, package: str) -> bool:
    """Whether a distribution holds a package: asked of its namesake first, since to ask all takes
    long.
    """
    try:
        files = metadata.distribution(name.replace("_", "-")).files or ()
    except metadata.PackageNotFoundError:
        return False
    return any(file.parts[0] == package for file in files)


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
    heads = map(_head, distributions)
    return {**{h["Name"]: h["Version"] for h in heads if h["Name"]}, **interpreter()}


def names(distributions: Iterable[metadata.Distribution]) -> set[str]:
    """Their names, as they write them."""
    return {_head(distribution)["Name"] for distribution in distributions}


@lru_cache(maxsize=None)
def editables() -> dict[str, str]:
    """Name -> source folder of editable installs, whose versions say nothing of their content."""
    found = ((d, _editable_folder(d)) for d in metadata.distributions())
    return {_head(d)["Name"]: folder for d, folder in found if folder}


def is_below(path: str, folder: str) -> bool:
    """Whether a path is a folder, or below it."""
    path, folder = _real(path), _real(folder)
    return path == folder or path.startswith(folder + os.sep)


_real = lru_cache(maxsize=None)(os.path.realpath)
"""Every module's file is held against every folder, again and again."""


def _editable_folder(distribution: metadata.Distribution) -> Optional[str]:
    text = distribution.read_text("direct_url.json")
    origin = json.loads(text) if text else {}
    if not origin.get("dir_info", {}).get("editable"):
        return None
    return unquote(urlparse(origin["url"]).path)


def _required(distribution: metadata.Distribution) -> list[str]:
    required = _head(distribution).get_all("Requires-Dist") or ()
    if distribution.read_text("requires.txt"):  # of an old installation, which has them apart
        required = distribution.requires or ()
    wanted = [str(r) for r in required if "extra ==" not in str(r).replace("'", '"')]
    return [match.group() for match in map(_NAME.match, wanted) if match]


def _head(distribution: metadata.Distribution) -> Message:
    """The metadata without what describes it, often a whole README, which takes long to parse.

    Empty for the rest of a broken installation.
    """
    texts = map(distribution.read_text, ("METADATA", "PKG-INFO", ""))
    return message_from_string((next(filter(None, texts), None) or "").partition("\n\n")[0])
