"""A small project on disk: configuration, cases, evidence and an agent of its own."""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from jw_eval_store.config import load_config
from jw_eval_store.domain.reports import CaseReport, SuiteReport
from jw_eval_store.domain.selections import Selection
from jw_eval_store.pages.manifest import new_entry
from jw_eval_store.pages.writing import save_snapshot
from jw_eval_store.runs.request import RunRequest
from jw_eval_store.runs.suite import Hooks, run_suite
from jw_eval_store.store.connect import reading
from tests import toolkit_shape

URL = "https://wol.jw.org/en/wol/b/r1/lp-e/bi22/43/3"

AGENT = (
    inspect.getsource(toolkit_shape)
    + """

def answer(question, **others):
    finding = Finding("About " + question, Citation("URL"), "God so loved the world")
    return AgentResult(question, "answerer", [finding])
""".replace("URL", URL)
)


@dataclass
class Project:
    """A folder with a configuration; `run` judges it."""

    root: Path

    def case(self, case_id: str, layer: str = "l1", **parts: Any) -> Path:
        """Write a case that passes on the agent as it is, unless parts say otherwise."""
        default = "min_findings: 1" if layer == "l1" else ""
        expected = parts.get("expected", default)
        citations = f"expected_citations: [{URL}]\nsupport_phrases: [loved the world]\n"
        text = f"id: {case_id}\nagent: {parts.get('agent', 'answerer')}\ninput:\n"
        text += f"  question: {parts.get('question', case_id)}\n"
        text += f"expected:\n{textwrap.indent(expected, '  ')}\n" if layer == "l1" else citations
        path = self.root / "cases" / layer / f"{case_id}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def agent(self, code: str = AGENT, module: str = "answers") -> None:
        """Write the agent's module."""
        (self.root / "agents" / f"{module}.py").write_text(code)
        sys.modules.pop(module, None)

    def snapshot(self, text: str = "For God so loved the world", url: str = URL) -> None:
        """Write a snapshot of a page that says so."""
        html = (
            f'<article id="article"><p><span class="v" id="v43-3-16-1">{text}</span></p></article>'
        )
        entry = new_entry(url, "imported", "page", "2026-03-01T12:00:00Z")
        save_snapshot(self.root / "snapshots", entry, html)

    def configure(self, more: str = "") -> None:
        """Write the configuration."""
        (self.root / "jw-eval.toml").write_text(
            'cases = ["cases"]\nsnapshots = "snapshots"\npolicy = "policy.yaml"\njobs = 2\n'
            '[agents.answerer]\ntarget = "answers:answer"\nisolation = "in_process"\n'
            f'roots = ["agents"]\n{more}'
        )

    def run(self, hooks: Hooks | None = None, **parts: Any) -> SuiteReport:
        """One run; parts are those of a selection or of a request."""
        chosen = {k: parts.pop(k) for k in list(parts) if k in Selection.model_fields}
        request = replace(RunRequest(selection=Selection(**chosen)), **parts)
        return run_suite(request, load_config(self.root, environ={}), hooks)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """What a SELECT gives on the project's database."""
        with reading(self.root / ".jw-eval" / "results.db") as conn:
            return [tuple(row) for row in conn.execute(sql)]


def by_id(report: SuiteReport) -> dict[str, CaseReport]:
    """Results by case id."""
    return {result.case_id: result for result in report.results}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path))
    # An edit of the same size within a second would be answered from the old bytecode.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    made = Project(tmp_path / "project")
    for name in ("cases", "agents", "snapshots"):
        (made.root / name).mkdir(parents=True)
    (made.root / "policy.yaml").write_text("new_cases: 3\n")
    monkeypatch.syspath_prepend(str(made.root / "agents"))
    made.configure()
    made.agent()
    yield made
    sys.modules.pop("answers", None)
