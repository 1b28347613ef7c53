"""A foreign environment, a project that is judged with it, and recordings made once."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from jw_eval_store.config import load_config
from jw_eval_store.domain.reports import CaseReport, SuiteReport
from jw_eval_store.domain.selections import Selection
from jw_eval_store.pages.manifest import new_entry
from jw_eval_store.pages.writing import save_snapshot
from jw_eval_store.runs.recording import Recorded, record_cases
from jw_eval_store.runs.request import RunRequest
from jw_eval_store.runs.suite import run_suite
from tests import toolkit_shape
from tests.foreign.site import Hosts

TOOLKIT = Path(__file__).parent / "toolkit" / "jw_agents"
PURE = ("httpx", "httpcore", "anyio", "certifi", "idna", "h11", "typing_extensions")
"""What httpx needs, all of it plain Python, so that it serves every interpreter."""

VERSE = "https://wol.jw.org/E/bible/43/3#v43:3:16"

QUESTIONS = {
    "apologetics": ("question", "Soul and John number {n}"),
    "verse_explainer": ("reference", "John {n}"),
    "research_topic": ("topic", "kingdom {n}"),
    "meeting_helper": ("input_text", "{dots}"),
}

EXPECTED = {
    "apologetics": "min_findings: 3\n  must_have_citation: true\n  citation_hosts: [wol.jw.org]\n"
    "  sources_in_order: [topic_index, verse_text, cdn_search]\n"
    "  forbidden_keywords_in_findings: [immortal]",
    "verse_explainer": "min_findings: 2\n  must_have_citation: true\n"
    "  sources_in_order: [target_verse, study_note]",
    "research_topic": "min_findings: 3\n  must_have_citation: true",
    "meeting_helper": "min_findings: 2\n  must_have_source: [suggest_comment]",
}


def other_python() -> Path:
    """An interpreter of another version where there is one."""
    for version in ("3.13", "3.12", "3.10"):
        found = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
        if found:
            return found[0]
    return Path(sys.executable)


OTHER_PYTHON = other_python()
"""Found when this is imported: tests have a HOME of their own."""


def install_toolkit(folder: Path) -> None:
    """The stand-in for the toolkit, with the shape of its results."""
    shutil.copytree(TOOLKIT, folder)
    (folder / "shape.py").write_bytes(Path(toolkit_shape.__file__).read_bytes())


def make_venv(folder: Path) -> Path:
    """Another virtual environment with httpx and the toolkit."""
    subprocess.run([OTHER_PYTHON, "-m", "venv", "--without-pip", folder], check=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    for name in PURE:
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        source = Path(spec.origin)
        if source.name == "__init__.py":
            shutil.copytree(source.parent, packages / name)
        else:
            shutil.copy(source, packages)
    install_toolkit(packages / "jw_agents")
    return folder


@pytest.fixture(scope="session")
def venv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_venv(tmp_path_factory.mktemp("foreign") / "venv")


@dataclass
class Foreign:
    """A project whose agents live in another environment."""

    root: Path
    toolkit: Path
    """The toolkit's installed sources, free to be broken."""

    def run(
        self,
        *agents: str,
        since: str | None = None,
        repeat: int = 1,
        explain: bool = False,
        recordings: Path | None = None,
    ) -> SuiteReport:
        """Judge all cases, or those of some agents, offline."""
        request = RunRequest(
            selection=Selection(agents=agents),
            since=since,
            repeat=repeat,
            explain=explain,
            recordings=recordings,
        )
        return run_suite(request, load_config(self.root, environ={}))

    def record(self) -> list[Recorded]:
        """Record all cases."""
        return record_cases(load_config(self.root, environ={}), Selection())

    def edit(self, module: str, old: str, new: str) -> None:
        """Change the toolkit."""
        path = self.toolkit / module
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def one(self, report: SuiteReport, agent: str) -> CaseReport:
        """The first L1 result of an agent."""
        return next(r for r in report.results if r.agent == agent and r.layer == "l1")


def write_project(root: Path, python: Path, cases: int = 1) -> None:
    """Configuration, cases (so many of each agent), and evidence for one L2 case."""
    lines = ['cases = ["cases"]', 'snapshots = "snapshots"', 'recordings = "recordings"']
    for agent in QUESTIONS:
        lines += [
            f"[agents.{agent}]",
            f'target = "jw_agents.{agent}:{agent}"',
            f'python = "{python}"',
            'env = ["WOL_BASE", "CDN_BASE"]',
            "timeout = 20",
        ]
    lines += ["[agents.verse_explainer.rename]", 'reference = "text"']
    root.mkdir(parents=True)
    (root / "jw-eval.toml").write_text("\n".join(lines) + "\n")
    for agent, (key, template) in QUESTIONS.items():
        for n in range(cases):
            text = template.format(n=n, dots="." * (n + 5))
            write_case(root, "l1", f"{agent}_{n}", agent, key, text, EXPECTED[agent])
    expected = f"expected_citations: ['{VERSE}']\n  support_phrases: [loved the world]"
    write_case(root, "l2", "verse", "apologetics", "question", "Love and John", expected)
    html = (
        '<article id="article"><p><span class="v" id="v43-3-16-1">'
        "For God so loved the world</span></p></article>"
    )
    entry = new_entry(VERSE, "imported", "page", "2026-03-01T12:00:00Z")
    (root / "snapshots").mkdir()
    save_snapshot(root / "snapshots", entry, html)


def write_case(
    root: Path, layer: str, case_id: str, agent: str, key: str, text: str, expected: str
) -> None:
    path = root / "cases" / layer / f"{case_id}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f"id: {case_id}\nagent: {agent}\ninput:\n  {key}: {text!r}\nexpected:\n  {expected}\n"
    )


@pytest.fixture(scope="session")
def recorded(venv: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project with recordings; its servers are stopped."""
    root = tmp_path_factory.mktemp("recorded") / "project"
    write_project(root, venv / "bin" / "python")
    hosts = Hosts()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in hosts.environment.items():
            patch.setenv(name, value)
        try:
            problems = [r for r in Foreign(root, venv).record() if r.problem]
        finally:
            hosts.stop()
        assert problems == []
        yield root


@pytest.fixture
def foreign(recorded: Path, venv: Path, tmp_path: Path) -> Iterator[Foreign]:
    """A copy of the recorded project without its database, as CI has it; breaks are mended."""
    root = tmp_path / "project"
    shutil.copytree(recorded, root, ignore=shutil.ignore_patterns(".jw-eval"))
    toolkit = next(venv.glob("lib/python*/site-packages/jw_agents"))
    yield Foreign(root, toolkit)
    shutil.rmtree(toolkit)
    install_toolkit(toolkit)
