"""Folders of cases: which files they hold, and reading them all without one stopping another."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.reports import InvalidFile
from jw_eval_store.golden.reading import ReadCase, folder_layer, read_case

SUFFIXES = (".yaml", ".yml")

GRAPH_SUFFIXES = (".graph.yaml", ".graph.yml")
"""A judge graph beside the cases that name it."""

_DEVICE = re.compile(r"con|prn|aux|nul|(?:com|lpt)\d", re.IGNORECASE)

POLICY_FILE = "policy.yaml"
"""May stand in a folder of cases, and is no case."""


def is_case_file(name: str) -> bool:
    """Whether a file's name is that of a case: YAML, not hidden, not the policy, not a graph."""
    lowered = name.lower()
    return (
        lowered.endswith(SUFFIXES)
        and not lowered.endswith(GRAPH_SUFFIXES)
        and not name.startswith(".")
        and name != POLICY_FILE
    )


def file_name(case_id: str) -> str:
    """The name of a new file for a case, which `is_case_file` takes, even for the id `policy`."""
    name = f"{case_id}.yaml"
    return name if is_case_file(name) else f"{case_id}.case.yaml"


def unfit_for_a_name(case_id: str) -> str | None:
    """Why there can be no file of that name on every system; none: there can."""
    device = case_id.partition(".")[0]
    if _DEVICE.fullmatch(device):
        return f"Windows keeps the name {device} for a device"
    if case_id.endswith("."):
        return "Windows drops a dot at the end of a name"
    return None


def case_files(root: Path) -> Iterator[Path]:
    """All case files under a folder, sorted. Hidden folders and links to folders are left out.

    Raises UsageError where `root` is no folder, or one of its folders cannot be read.
    """
    for entry in _entries(root):
        if entry.is_dir(follow_symlinks=False):
            yield from case_files(root / entry.name)
        elif is_case_file(entry.name) and not (root / entry.name).is_dir():
            yield root / entry.name


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            entries = [entry for entry in found if not entry.name.startswith(".")]
    except OSError as error:
        hint = "name a folder of case files that can be read"
        raise UsageError(f"{folder}: {error.strerror}", hint=hint) from error
    return sorted(entries, key=lambda entry: entry.name)


def files_of(paths: Iterable[Path]) -> list[Path]:
    """These files, and the case files under these folders, each once."""
    found: dict[Path, None] = {}
    for path in map(Path.absolute, paths):
        found |= dict.fromkeys(case_files(path) if path.is_dir() else [path])
    return list(found)


def read_file(path: Path) -> ReadCase | list[InvalidFile]:
    """The case in a file, its layer also from the folder's name."""
    if path.exists() and not path.is_file():
        return [InvalidFile(path=str(path), message="is not a file")]
    try:
        source = path.read_bytes()
    except OSError as error:
        return [InvalidFile(path=str(path), message=f"cannot be read: {error.strerror}")]
    return read_case(str(path), source, folder_layer(path))


def read_folder(root: Path) -> tuple[list[ReadCase], list[InvalidFile]]:
    """Every case under a folder, and every file that was refused, each with its cause."""
    return read_files(case_files(root))


def read_files(paths: Iterable[Path]) -> tuple[list[ReadCase], list[InvalidFile]]:
    """The cases in these files. Of files with the same id the first counts, the rest is refused."""
    cases: dict[str, ReadCase] = {}
    refused: list[InvalidFile] = []
    for path in paths:
        read = read_file(path)
        if isinstance(read, list):
            refused.extend(read)
        elif read.case.id in cases:
            refused.append(_duplicate(read, cases[read.case.id]))
        else:
            cases[read.case.id] = read
    return list(cases.values()), refused


def _duplicate(read: ReadCase, first: ReadCase) -> InvalidFile:
    return InvalidFile(
        path=read.path,
        line=read.line("id"),
        message=f"id '{read.case.id}' is already that of {first.path}",
        hint="give each case its own id",
    )
