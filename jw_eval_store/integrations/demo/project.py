"""The folder of the demonstration: the bundled cases and evidence, and agents that can change."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.pages.manifest import MANIFEST
from jw_eval_store.pages.reading import load_snapshots
from jw_eval_store.pages.writing import save_snapshot
from jw_eval_store.resources import bundled

CONFIGURATION = """\
# Written by `jw-eval demo`. Delete the folder when you have seen enough.
cases = ["golden"]
snapshots = "snapshots"
policy = "policy.yaml"
jobs = 2

[judge]
llm = "none"                  # the history was judged by two made-up models

[embedder]
backend = "none"
"""

AGENT = """
[agents.{name}]
target = "demo_agents.answers:{name}"
isolation = "in_process"
roots = ["demo_agents"]
"""

ANSWERS = '''\
"""The agents of the demonstration: jw-eval's samples, and what became of them."""

from dataclasses import replace

from jw_eval_store.sample.apologetics import apologetics
from jw_eval_store.sample.meeting_helper import meeting_helper
from jw_eval_store.sample.research_topic import research_topic
from jw_eval_store.sample.verse_explainer import verse_explainer as _explained

SHOWN = {shown}


async def verse_explainer(reference, *, language="en"):
    answer = await _explained(reference, language=language)
    return replace(answer, findings=answer.findings[:SHOWN])
'''

_HELPER = "  meeting_helper:\n"
"""Its coverage asks for a case that is not there, so that there is a gap to be seen."""

_JUDGE = re.compile(r"^judge:\n(?: .*\n)+", re.MULTILINE)
"""How a case wants to be judged; the made-up judges know one question only."""


class DemoProject:
    """The folder, and how its history is moved on. Raises UsageError where it holds anything."""

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()
        if self.root.exists() and any(self.root.iterdir()):
            raise UsageError(
                f"{self.root} is not empty", hint="name a new folder: jw-eval demo FOLDER"
            )

    def start(self) -> None:
        """Write it as it was at first."""
        from jw_eval_store.sample import AGENTS

        self.root.mkdir(parents=True, exist_ok=True)
        shutil.copytree(bundled("seeds"), self.root / "golden", ignore=_not_cases)
        for path in (self.root / "golden" / "l3").iterdir():
            text = path.read_text(encoding="utf-8")
            path.write_text(_JUDGE.sub("", text), encoding="utf-8", newline="\n")
        shutil.copytree(bundled("snapshots"), self.root / "snapshots")
        policy = bundled("seeds") / "policy.yaml"
        wanted = _replaced(
            policy.read_text(encoding="utf-8"), _HELPER, f"{_HELPER}    l3: 1\n", policy
        )
        self._write("policy.yaml", wanted)
        agents = "".join(AGENT.format(name=name) for name in sorted(AGENTS))
        self._write("jw-eval.toml", CONFIGURATION + agents)
        self._write(".gitignore", ".jw-eval/\n__pycache__/\nreports/\n")
        self.show_findings(None)
        self._git("init", "--quiet")

    def show_findings(self, number: int | None) -> None:
        """A revision of the agents, in which the verse explainer gives so many findings at most."""
        self._write("demo_agents/answers.py", ANSWERS.format(shown=number))
        forget_agents()

    def change_page(self, fetch_key: str, before: str, after: str) -> None:
        """The page says something else now, as if it had been fetched again."""
        folder = self.root / "snapshots"
        found, _ = load_snapshots(folder)
        page = next(snapshot for snapshot in found if snapshot.entry.fetch_key == fetch_key)
        save_snapshot(folder, page.entry, _replaced(page.html, before, after, folder / MANIFEST))

    def edit_case(self, name: str, before: str, after: str) -> None:
        """Edit a case in its file."""
        path = self.root / "golden" / name
        text = _replaced(path.read_text(encoding="utf-8"), before, after, path)
        self._write(path.relative_to(self.root).as_posix(), text)

    def commit(self, message: str) -> None:
        """Commit all, where git is at hand, so that runs know their revision."""
        self._git("add", "--all")
        who = ("-c", "user.name=demo", "-c", "user.email=demo@example.org")
        self._git(*who, "commit", "--quiet", "--no-gpg-sign", "--no-verify", "-m", message)

    def _git(self, *arguments: str) -> None:
        if shutil.which("git"):
            subprocess.run(["git", *arguments], cwd=self.root, check=False, capture_output=True)

    def _write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def forget_agents() -> None:
    """Import the agents anew when they are next asked for."""
    for name in [name for name in sys.modules if name.split(".")[0] == "demo_agents"]:
        del sys.modules[name]


def _replaced(text: str, before: str, after: str, path: Path) -> str:
    if before not in text:
        raise UsageError(f"{path} does not say {before!r}")
    return text.replace(before, after)


def _not_cases(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name == "policy.yaml"]
