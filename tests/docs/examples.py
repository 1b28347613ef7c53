"""The examples of a document: its console blocks run in a folder, its outputs held against it.

A document's blocks are one story, played in one folder:

- ```` ```console ```` holds commands (`$ command`) and what they print, stderr included.
  `exit=3` after `console` says that the last command ends so. `not-run` leaves a block alone.
- ```` ```yaml file=golden/l1/a.yaml ```` (any language) writes the block to that file.

A line `...` in an output stands for any lines. ULIDs, durations, dates, hashes and folders are
masked on both sides, since they differ from run to run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_FENCE = re.compile(r"^```(?P<info>\w[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_MASKS = (
    (re.compile(r"\b01[0-9A-HJKMNP-TV-Z]{24}\b"), "RUN"),
    (re.compile(r"\bin \d+(\.\d+)? ?s\b"), "in N s"),
    (re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?Z?"), "TIME"),
    (re.compile(r"\b\d{4}-\d\d-\d\d\b"), "DATE"),
    (re.compile(r"sha256:[0-9a-f]+"), "HASH"),
    (re.compile(r"\b[0-9a-f]{7,40}\b"), "HASH"),
    (re.compile(r"\b\d+ ms\b"), "N ms"),
    (re.compile(r"\b\d+(\.\d+)? [KM]B\b"), "N MB"),
    (re.compile(r" +"), " "),
)


@dataclass(frozen=True)
class Command:
    """One command with the output that the document shows, and its exit code.

    `written` is the command as the document folds it.
    """

    written: str
    line: str
    output: str
    exit_code: int = 0


@dataclass(frozen=True)
class Block:
    """One fenced block. `start` and `end` are offsets of its body in the document."""

    language: str
    options: dict[str, str]
    body: str
    start: int
    end: int
    commands: tuple[Command, ...] = field(default=())


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a document, in order."""
    for match in _FENCE.finditer(text):
        language, *words = match["info"].split()
        options = dict(word.partition("=")[::2] for word in words)
        commands: tuple[Command, ...] = ()
        if language == "console" and "not-run" not in options:
            commands = tuple(_commands(match["body"], int(options.get("exit", 0))))
        yield Block(language, options, match["body"], *match.span("body"), commands)


def _commands(body: str, exit_code: int) -> Iterator[Command]:
    parts = re.split(r"^\$ ", body, flags=re.MULTILINE)
    if parts[0].strip():
        raise ValueError(f"output before the first command: {parts[0]!r}")
    for number, part in enumerate(parts[1:], 1):
        line, _, output = part.partition("\n")
        written = line
        while line.endswith("\\"):
            more, _, output = output.partition("\n")
            written += f"\n{more}"
            line = line.removesuffix("\\").rstrip() + " " + more.strip()
        yield Command(written, line, output, exit_code if number == len(parts) - 1 else 0)


@contextmanager
def new_story() -> Iterator[Story]:
    """A story in a new folder with a short name, lest long paths fold the lines of reports."""
    with tempfile.TemporaryDirectory(prefix="d", dir=tempfile.gettempdir()) as above:
        folder = Path(above, "project")
        folder.mkdir()
        yield Story(folder)


_NOT_A_READERS = ("JW_EVAL", "GITHUB", "CI", "BUILD_NUMBER", "PYTEST", "MAKE", "MFLAGS")
"""Variables of whoever runs the tests that change what commands print."""


class Story:
    """A folder in which a document's commands run, one after another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._above = str(folder.resolve().parent)
        self._home = folder.parent / "home"
        self._home.mkdir(exist_ok=True)

    def write(self, name: str, body: str) -> None:
        """A file that the document shows."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body, encoding="utf-8")

    def run(self, line: str) -> tuple[str, int]:
        """What a command prints (stdout and stderr as they come), and its exit code.

        `make TARGET` runs the last line of what the Makefile does for that target; `cd` moves the
        folder of the commands after it.
        """
        if line.startswith("cd "):
            self.folder = (self.folder / line.removeprefix("cd ").strip()).resolve()
            return "", 0
        if line.startswith("make "):
            line = _recipe(line.removeprefix("make ").strip())
        done = subprocess.run(
            ["bash", "-c", line], cwd=self.folder, env=self._environment(), check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
        )  # fmt: skip
        return self._shown(done.stdout), done.returncode

    def _environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(_NOT_A_READERS)}
        places = {"HOME": str(self._home), "XDG_CONFIG_HOME": str(self._home)}
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        who = {
            f"GIT_{role}_{part}": value
            for role in ("AUTHOR", "COMMITTER")
            for part, value in (("NAME", "Ana"), ("EMAIL", "ana@example.org"))
        }
        offline = {"JW_EVAL_LLM": "none", "JW_EVAL_EMBEDDER": "none", "PYTHONUNBUFFERED": "1"}
        return kept | places | who | offline | {"PATH": path, "COLUMNS": "100"}

    def _shown(self, output: str) -> str:
        """Without the folders of this machine."""
        shown = output.replace(self._above, "~")
        return shown.replace(str(ROOT), "~/jw-eval-store")


def _recipe(target: str) -> str:
    """The last command that the Makefile runs for a target, in the environment of the tests."""
    done = subprocess.run(
        ["make", "--no-print-directory", "-n", target],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    last = [line for line in done.stdout.splitlines() if line.strip()][-1]
    return last.replace(".venv/bin/", "")


def matches(shown: str, printed: str) -> bool:
    """Whether a document's output is what was printed, but for masks and `...` lines."""
    pieces = re.split(r"^\.\.\.$\n?", masked(shown), flags=re.MULTILINE)
    pattern = r"(?:.*\n)*".join(re.escape(piece) for piece in pieces)
    return re.fullmatch(pattern, masked(printed)) is not None


def masked(text: str) -> str:
    """The text with what differs from run to run replaced, and without blanks at line ends."""
    for pattern, replacement in _MASKS:
        text = pattern.sub(replacement, text)
    return "".join(f"{line.rstrip()}\n" for line in text.strip("\n").splitlines())


def renewed(text: str, story: Story) -> str:
    """The document with the outputs of today; those with `...` lines and `not-run` stay."""
    made: list[str] = []
    position = 0
    for block in blocks(text):
        if "file" in block.options:
            story.write(block.options["file"], block.body)
        if block.commands:
            made += [text[position : block.start], _renewed(story, block)]
            position = block.end
    return "".join([*made, text[position:]])


def _renewed(story: Story, block: Block) -> str:
    parts = []
    for number, command in enumerate(block.commands, 1):
        printed, _ = story.run(command.line)
        is_cut = re.search(r"^\.\.\.$", command.output, re.MULTILINE)
        output = (command.output if is_cut else printed).rstrip("\n")
        parts.append(f"$ {command.written}\n" + (f"{output}\n" if output else ""))
        if output and number < len(block.commands):
            parts.append("\n")
    return "".join(parts)
