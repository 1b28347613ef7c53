"""Do answers that were made under one fingerprint still hold under another? And if not, why?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from posixpath import dirname

from jw_eval_store.agents.host.usage import UNSEEN
from jw_eval_store.agents.interface import AgentFingerprint


def changes(
    before: AgentFingerprint, now: AgentFingerprint, used: Collection[str] | None
) -> list[str]:
    """The parts that differ and matter, for people; empty: the answers still hold.

    `used` is what the answers depended on (`Agent.used`); none: every file counts. A file that
    appeared or went matters where its folder was listed, or any file beside it was used, since
    looking whether a file exists leaves no trace. Where the folder came or went with it, the
    nearest one that was there before and after counts in its place.
    """
    found = [] if before.origin == now.origin else [f"agent's origin: now {now.origin}"]
    found += _differing("distribution", before.versions, now.versions)
    found += _differing("agent's setting", before.settings, now.settings)
    return found + list(_files(before.files, now.files, used))


def _differing(kind: str, before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    names = sorted(n for n in {*before, *now} if before.get(n) != now.get(n))
    return [f"{kind} {name}" for name in names]


def _files(
    before: Mapping[str, str], now: Mapping[str, str], used: Collection[str] | None
) -> Iterator[str]:
    looked_at = None if used is None else {dirname(path) for path in used}
    lasting = _folders(before) & _folders(now)
    for path in sorted(p for p in {*before, *now} if before.get(p) != now.get(p)):
        kept = path in before and path in now
        if used is None or path in used or path.endswith(UNSEEN):
            matters = True
        else:
            matters = not kept and looked_at is not None and _beside(path, lasting) in looked_at
        if matters:
            what = "" if kept else " (new)" if path in now else " (gone)"
            yield f"agent file {path}{what}"


def _folders(files: Iterable[str]) -> set[str]:
    """Folders that hold files, and all above them."""
    found: set[str] = set()
    for path in files:
        folder = dirname(path)
        while folder not in found:
            found.add(folder)
            folder = dirname(folder)
    return found


def _beside(path: str, lasting: Collection[str]) -> str:
    """The folder whose look changed as this path came or went."""
    folder = dirname(path)
    while folder and folder not in lasting:
        folder = dirname(folder)
    return folder
