"""`cases lint --max-age`: old evidence and recordings, told from files, without a database."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner

from jw_eval_cli.main import cli
from jw_eval_store.config import load_config
from jw_eval_store.runs.registry.linting import lint_cases
from tests.foreign.conftest import Foreign


def date_recording(foreign: Foreign, days: int) -> None:
    path = foreign.root / "recordings" / "meeting_helper" / "meeting_helper_0.har"
    har = json.loads(path.read_text())
    for entry in har["log"]["entries"]:
        entry["startedDateTime"] = (datetime.now(UTC) - timedelta(days=days)).isoformat()
    path.write_text(json.dumps(har))


def found(foreign: Foreign, max_age: int | None) -> list[tuple[str, str]]:
    report = lint_cases(load_config(foreign.root, environ={}), max_age=max_age)
    return sorted((f.case_id, f.rule) for f in report.findings if f.rule.startswith("old-"))


def test_what_is_too_old_is_named_by_case_without_a_database(foreign: Foreign) -> None:
    date_recording(foreign, 40)
    captured = (datetime.now(UTC) - datetime(2026, 3, 1, 12, tzinfo=UTC)).days
    assert found(foreign, None) == []
    assert found(foreign, captured + 40) == []
    assert found(foreign, 39) == [("meeting_helper_0", "old-recording"), ("verse", "old-evidence")]
    assert found(foreign, 40) == [("verse", "old-evidence")]
    assert not (foreign.root / ".jw-eval").exists()


def test_the_registry_is_asked_where_no_folder_is_configured(foreign: Foreign) -> None:
    date_recording(foreign, 40)
    foreign.run("meeting_helper")
    config = foreign.root / "jw-eval.toml"
    lines = config.read_text().splitlines()
    config.write_text("\n".join(x for x in lines if not x.startswith(("cases", "recordings"))))
    assert ("meeting_helper_0", "old-recording") in found(foreign, 39)
    assert ("meeting_helper_0", "old-recording") not in found(foreign, 40)


def test_a_case_may_stand_by_its_old_recording(
    foreign: Foreign, monkeypatch: pytest.MonkeyPatch
) -> None:
    date_recording(foreign, 40)
    monkeypatch.chdir(foreign.root)
    command = ["cases", "lint", "cases/l1", "--max-age", "39"]
    refused = CliRunner().invoke(cli, command)
    assert refused.exit_code == 1
    assert "its recording with meeting_helper is 40 days old" in " ".join(refused.output.split())
    case = foreign.root / "cases" / "l1" / "meeting_helper_0.yaml"
    case.write_text(case.read_text() + "lint:\n  old-recording: the page is closed for good\n")
    assert CliRunner().invoke(cli, command).exit_code == 0
    assert CliRunner().invoke(cli, [*command[:3], "--strict"]).exit_code == 0
