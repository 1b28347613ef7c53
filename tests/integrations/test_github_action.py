"""The action's steps run as bash runs them, and its comment against an API on loopback."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from jw_eval_store.integrations.github_action import COMMENT_LIMIT, main, put_comment
from jw_eval_store.integrations.github_api import RestApi

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@dataclass
class Runner:
    """A runner's folders; `step` runs a step of the action by its name."""

    temp: Path
    work: Path

    def step(self, name: str, **env: str) -> tuple[int, dict[str, str], str]:
        """Exit code, outputs and what was printed."""
        step = next(s for s in ACTION["runs"]["steps"] if s["name"] == name)
        output = self.temp / "output"
        output.write_text("")
        script = self.temp / "step.sh"
        script.write_text(step["run"])
        given = {"GITHUB_OUTPUT": str(output), "RUNNER_TEMP": str(self.temp), **env}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.work, env=os.environ | given, capture_output=True, text=True, check=False,
        )  # fmt: skip
        pairs = (line.partition("=")[::2] for line in output.read_text().splitlines())
        return done.returncode, dict(pairs), done.stdout + done.stderr


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    made = Runner(tmp_path / "temp", tmp_path / "work")
    binaries = made.temp / "jw-eval-venv" / "bin"
    binaries.mkdir(parents=True)
    made.work.mkdir()
    for name, arguments in (("jw-eval", "-m jw_eval_cli"), ("python", "")):
        program = binaries / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n')
        program.chmod(0o755)
    return made


def test_judging_writes_reports_outputs_and_a_database_for_the_cache(runner: Runner) -> None:
    summary = runner.temp / "summary.md"
    asked = {"ARGUMENTS": "--bundled --layer 1 --since last", "GITHUB_STEP_SUMMARY": str(summary)}
    code, outputs, printed = runner.step("Judge", **asked)
    assert (code, outputs["code"]) == (0, "0")
    assert "::notice title=jw-eval::PASSED" in printed
    assert "12 of 12" in summary.read_text()
    folder = Path(outputs["folder"])
    assert {path.name for path in folder.glob("report.*")} == {
        "report.md", "report.json", "report.xml",
    }  # fmt: skip
    _, told, _ = runner.step("Outputs", FOLDER=str(folder))
    assert (told["verdict"], told["passed"], told["total"]) == ("passed", "12", "12")
    for path in folder.glob("results.db*"):
        path.unlink()
    _, _, again = runner.step("Judge", **asked)
    assert "0 to judge, 12 reused" in again


@pytest.mark.long
def test_options_on_several_lines_all_count(runner: Runner) -> None:
    asked = "--bundled\n  --layer 1\n\n--min-decided l3=0.9\n"
    _, outputs, printed = runner.step("Judge", ARGUMENTS=asked)
    assert outputs["code"] == "5"
    assert "a bar is set for layer L3" in printed


@pytest.mark.long
def test_a_use_takes_nothing_of_an_earlier_one_in_the_same_job(runner: Runner) -> None:
    runner.step("Judge", ARGUMENTS="--bundled --layer 1")
    (runner.temp / "jw-eval-venv" / "bin" / "pip").write_text("#!/bin/sh\n")
    (runner.temp / "jw-eval-venv" / "bin" / "pip").chmod(0o755)
    (runner.temp / "python3").write_text("#!/bin/sh\n")
    (runner.temp / "python3").chmod(0o755)
    path = f"{runner.temp}:{os.environ['PATH']}"
    assert runner.step("Install jw-eval", SOURCE=str(ROOT), EXTRAS="", PATH=path)[0] == 0
    _, outputs, _ = runner.step("Judge", ARGUMENTS="--nonsense")
    assert outputs["code"] == "2"
    assert runner.step("Outputs", FOLDER=outputs["folder"])[:2] == (0, {})


@pytest.mark.parametrize(
    ("extras", "weights"), [("", 0), ("mcp,nli", 0), ("nli-embedded", 1), ("mcp, nli-embedded", 1)]
)
def test_the_weights_of_the_checkout_are_installed_for_the_extra_that_needs_them(
    runner: Runner, extras: str, weights: int
) -> None:
    pip, python = runner.temp / "jw-eval-venv" / "bin" / "pip", runner.temp / "python3"
    pip.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    python.write_text("#!/bin/sh\n")
    for program in (pip, python):
        program.chmod(0o755)
    path = f"{runner.temp}:{os.environ['PATH']}"
    code, _, given = runner.step("Install jw-eval", SOURCE=str(ROOT), EXTRAS=extras, PATH=path)
    lines = given.splitlines()
    assert (code, lines.count(f"{ROOT}/models/nli/package")) == (0, weights)
    assert (f"{ROOT}[{extras}]" if extras else str(ROOT)) in lines


def test_a_failed_gate_fails_the_last_step_only(runner: Runner) -> None:
    (runner.work / "jw-eval.toml").write_text("cases = []\n")
    code, outputs, _ = runner.step("Judge", ARGUMENTS="--layer 1")
    assert (code, outputs["code"]) == (0, "5")
    assert runner.step("Outputs", FOLDER=outputs["folder"])[:2] == (0, {})
    assert runner.step("Verdict", CODE=outputs["code"])[0] == 5


def test_a_database_is_taken_from_its_own_key_only() -> None:
    restore, save = (
        step["with"]
        for step in ACTION["runs"]["steps"]
        if step.get("uses", "").startswith("actions/cache/")
    )
    own, other = (
        save["key"].replace("${{ inputs.key }}", k) for k in ("default", "default-nightly")
    )
    taken = restore["restore-keys"].replace("${{ inputs.key }}", "default")
    assert own.startswith(taken)
    assert not other.startswith(taken)


def test_every_output_and_input_is_used() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    for name in ACTION["inputs"]:
        assert f"inputs.{name}" in text
    ids = {step["id"] for step in ACTION["runs"]["steps"] if "id" in step}
    for output in ACTION["outputs"].values():
        assert set(re.findall(r"steps\.(\w+)\.", output["value"])) <= ids
    assert all("shell" in step for step in ACTION["runs"]["steps"] if "run" in step)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_what_comes_from_outside_reaches_no_script_unquoted(path: Path) -> None:
    """An expression within a script is put there as text, before the shell reads it."""
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
    for step in (step for job in jobs.values() for step in job["steps"]):
        assert "${{" not in step.get("run", ""), step["run"]


def test_the_nightly_job_asks_for_decisions() -> None:
    nightly = (ROOT / ".github/workflows/eval-nightly.yml").read_text(encoding="utf-8")
    for wanted in ("local-embeddings", "ollama pull", "judge check", "--min-decided l3=0.9"):
        assert wanted in nightly


@dataclass
class Comments:
    """The comments of one pull request, 100 a page, as GitHub's REST API has them."""

    bodies: dict[int, str] = field(default_factory=dict)
    url: str = ""
    status: int = 200


@pytest.fixture
def github() -> Iterator[Comments]:
    comments = Comments()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = int(re.findall(r"[?&]page=(\d+)", self.path)[0])
            items = [{"id": n, "body": body} for n, body in comments.bodies.items()]
            self.reply(items[(page - 1) * 100 : page * 100])

        def do_POST(self) -> None:
            assert self.path == "/repos/own/repo/issues/7/comments"
            if comments.status < 400:
                comments.bodies[len(comments.bodies) + 1] = self.sent()["body"]
            self.reply({})

        def do_PATCH(self) -> None:
            number = int(self.path.removeprefix("/repos/own/repo/issues/comments/"))
            comments.bodies[number] = self.sent()["body"]
            self.reply({})

        def sent(self) -> dict[str, Any]:
            read = self.rfile.read(int(self.headers["Content-Length"]))
            body: dict[str, Any] = json.loads(read)
            assert len(body["body"]) <= COMMENT_LIMIT
            return body

        def reply(self, body: Any) -> None:
            raw = json.dumps(body).encode()
            self.send_response(comments.status)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        comments.url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield comments
        server.shutdown()


def test_one_comment_is_written_and_renewed(github: Comments) -> None:
    api = RestApi("own/repo", "token", github.url)
    github.bodies = {n: f"words of people > <!-- jw-eval fast -->\n{n}" for n in range(1, 131)}
    assert put_comment(api, 7, "first", "fast") == "created"
    assert put_comment(api, 7, "second", "fast") == "updated"
    assert put_comment(api, 7, "second", "fast") == "kept"
    assert put_comment(api, 7, "x" * 70_000, "nightly") == "created"
    assert len(github.bodies) == 132
    assert github.bodies[131] == "<!-- jw-eval fast -->\nsecond"


def test_a_token_that_may_not_write_fails_nothing(
    github: Comments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    (tmp_path / "event.json").write_text('{"pull_request": {"number": 7}}')
    (tmp_path / "report.md").write_text("## PASSED")
    told = {
        "PATH": str(tmp_path), "GITHUB_TOKEN": "token", "GITHUB_API_URL": github.url,
        "GITHUB_REPOSITORY": "own/repo", "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
    }  # fmt: skip
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    assert main(["comment", str(tmp_path / "report.md")]) == 0
    github.status = 403
    assert main(["comment", str(tmp_path / "report.md")]) == 0
    (tmp_path / "event.json").write_text('{"ref": "refs/heads/main"}')
    assert main(["comment", str(tmp_path / "report.md")]) == 0
    written, refused, none = capsys.readouterr().out.splitlines()
    assert written == "comment created"
    assert refused.startswith("::notice title=jw-eval::no comment was written: GitHub refused")
    assert none == "no pull request, so no comment"
    assert main([]) == 2
