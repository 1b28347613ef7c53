"""`run --since last --explain` names the part that changed: file, request, page, case, policy."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from jw_eval_store.pages.manifest import new_entry
from jw_eval_store.pages.writing import save_snapshot
from tests.foreign.conftest import VERSE, Foreign


def why(foreign: Foreign) -> dict[str, str]:
    """Cases that were asked again, and why."""
    report = foreign.run(since="last", explain=True)
    return {r.case_id: r.why for r in report.results if not r.reused}


@pytest.fixture
def judged(foreign: Foreign) -> Foreign:
    foreign.run()
    return foreign


def test_each_part_that_changed_is_named(judged: Foreign) -> None:
    judged.edit("research_topic.py", "Researches", "Looks into")
    path = judged.root / "recordings" / "meeting_helper" / "meeting_helper_0.har"
    har = json.loads(path.read_text())
    content = har["log"]["entries"][-1]["response"]["content"]
    content["text"] = content["text"].replace("loved", "so loved")
    path.write_text(json.dumps(har))
    case = judged.root / "cases" / "l1" / "verse_explainer_0.yaml"
    case.write_text(case.read_text().replace("min_findings: 2", "min_findings: 1"))
    html = (
        '<article id="article"><p><span class="v" id="v43-3-16-1">'
        "For God so loved the world, then</span></p></article>"
    )
    save_snapshot(
        judged.root / "snapshots",
        new_entry(VERSE, "imported", "page", "2026-04-01T12:00:00Z"),
        html,
    )
    found = why(judged)
    assert set(found) == {"research_topic_0", "meeting_helper_0", "verse_explainer_0", "verse"}
    assert "agent changed: file " in found["research_topic_0"]
    assert "jw_agents/research_topic.py" in found["research_topic_0"]
    url = har["log"]["entries"][-1]["request"]["url"]
    assert found["meeting_helper_0"] == f"run: recording changed: GET {url}"
    assert found["verse_explainer_0"] == "run: case edited: expected: min_findings"
    assert found["verse"].startswith("run: evidence changed: https://wol.jw.org/E/bible/43/3")


def test_of_an_agent_s_files_only_those_are_named_that_it_used(judged: Foreign) -> None:
    judged.edit("research_topic.py", "Researches", "Looks into")
    judged.edit("meeting_helper.py", "(1, 2):", "(2, 1):")
    found = why(judged)
    assert set(found) == {"research_topic_0", "meeting_helper_0"}
    for name, said in found.items():
        assert f"{name.removesuffix('_0')}.py" in said
        assert said.count(".py") == 1


@pytest.mark.long
def test_a_changed_policy_is_named_with_its_values(judged: Foreign) -> None:
    (judged.root / "policy.yaml").write_text("origins: [imported]\n")
    config = judged.root / "jw-eval.toml"
    config.write_text('policy = "policy.yaml"\n' + config.read_text())
    assert why(judged) == {
        "verse": "run: policy changed: origins ['captured', 'imported'] -> ['imported']"
    }


@pytest.mark.long
def test_a_recording_that_is_gone_and_a_failure_are_named(judged: Foreign) -> None:
    judged.edit("meeting_helper.py", "(1, 2):", "():")
    assert "meeting_helper.py" in why(judged)["meeting_helper_0"]
    assert why(judged) == {
        "meeting_helper_0": "run: its last verdict was fail, which is never reused"
    }


@pytest.mark.long
def test_the_command_says_it_too(judged: Foreign) -> None:
    judged.edit("research_topic.py", "Researches", "Looks into")
    done = subprocess.run(
        [sys.executable, "-m", "jw_eval_cli", "run", "--since", "last", "--explain"],
        cwd=judged.root,
        capture_output=True,
        text=True,
        check=False,
    )
    said = " ".join(done.stdout.split())
    assert done.returncode == 0, done.stderr
    assert "research_topic.py" in said
    assert said.count("reused from run") >= 1
