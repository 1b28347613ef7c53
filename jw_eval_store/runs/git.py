"""What git knows of the working folder; all of it optional."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def head(folder: Path) -> tuple[str, bool] | None:
    """The commit checked out, and whether tracked files were changed; none outside a checkout."""
    revision = _git(folder, "rev-parse", "HEAD")
    if revision is None:
        return None
    return revision, bool(_git(folder, "status", "--porcelain", "--untracked-files=no"))


def resolve(folder: Path, revision: str) -> str | None:
    """The full hash of a revision; none where git doesn't know it."""
    if revision.startswith("-"):
        return None
    return _git(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")


def ancestors(folder: Path, revision: str) -> frozenset[str]:
    """A commit and all commits it builds on."""
    return frozenset((_git(folder, "rev-list", revision) or "").split())


def files_at(folder: Path, revision: str, path: Path) -> list[str] | None:
    """Names of the files below `path` at a revision, relative to the checkout's top."""
    listed = _git(folder, "-c", "core.quotePath=false", "ls-tree", "-r", "--name-only",
                  "--full-name", revision, "--", str(path))  # fmt: skip
    return None if listed is None else listed.splitlines()


def deleted_since(folder: Path, revision: str) -> list[str] | None:
    """Names of the files of a revision that are gone or moved, relative to the checkout's top."""
    listed = _git(folder, "diff", "--name-only", "--no-renames", "--diff-filter=D", "-z", revision)
    return None if listed is None else [name for name in listed.split("\0") if name]


def changed_since(folder: Path, revision: str) -> list[Path] | None:
    """Files of the checkout that differ from a revision, new and deleted ones among them."""
    top = _git(folder, "rev-parse", "--show-toplevel")
    if top is None:
        return None
    tracked = _git(Path(top), "diff", "--name-only", "--no-renames", "-z", revision, "--")
    others = _git(Path(top), "ls-files", "--others", "--exclude-standard", "-z")
    if tracked is None or others is None:
        return None
    names = [*tracked.split("\0"), *others.split("\0")]
    return [Path(top).resolve() / name for name in names if name]


def contents_at(folder: Path, revision: str, names: Sequence[str]) -> dict[str, bytes]:
    """Bytes of files at a revision, by their names from the checkout's top; one git process."""
    if not names:
        return {}
    asked = "".join(f"{revision}:{name}\n" for name in names)
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), "cat-file", "--batch"],
            input=asked.encode(),
            capture_output=True,
            timeout=120,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return {}
    return dict(_blobs(done.stdout, names))


def _blobs(answer: bytes, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """`<hash> blob <size>` and the bytes, a file each; `... missing` for none."""
    at = 0
    for name in names:
        end = answer.index(b"\n", at)
        header = answer[at:end].split()
        at = end + 1
        if len(header) == 3 and header[1] == b"blob":
            size = int(header[2])
            yield name, answer[at : at + size]
            at += size + 1


def user_name(folder: Path) -> str | None:
    """Who commits here; none where git doesn't know."""
    return _git(folder, "config", "user.name") or None
