from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jw_eval_store.domain.reports import CaseReport, InvalidFile, SuiteReport
from jw_eval_store.reports.github import SUMMARY_LIMIT, GithubReporter, step_summary


def test_annotations_stand_at_the_cases_line_worst_first(failed_run: SuiteReport) -> None:
    lines = GithubReporter().report(failed_run).splitlines()
    assert lines[0] == (
        "::error file=seeds/l1/x.yaml,line=3,title=invalid file"
        "::unknown key `langauge`%0ANext: language?"
    )
    assert lines[1].startswith(
        "::error file=seeds/l1/broken.yaml,line=7,title=l1_broken failed::must_have_source: no"
    )
    assert lines[2] == "::error title=l2_lost could not be decided::evidence_missing"
    assert lines[-1].startswith("::notice title=jw-eval::FAILED: ")


def test_ten_errors_and_ten_warnings_are_kept_and_the_rest_counted(
    make_case: Callable[..., CaseReport], make_report: Callable[..., SuiteReport]
) -> None:
    cases = [make_case(f"e{n:02}", "error") for n in range(3)]
    cases += [make_case(f"f{n:02}", "fail") for n in range(20)]
    cases += [make_case(f"w{n:02}", "fail", layer="l3") for n in range(11)]
    lines = GithubReporter().report(make_report(cases, "failed")).splitlines()
    errors = [line for line in lines if line.startswith("::error")]
    assert len(errors) == 10
    assert all("title=f" in line for line in errors)
    assert sum(line.startswith("::warning title=w") for line in lines) == 10
    assert "::notice title=jw-eval::13 more errors, listed in the step summary" in lines
    assert "::notice title=jw-eval::1 more warning, listed in the step summary" in lines


def test_text_cannot_start_a_command_of_its_own(
    make_case: Callable[..., CaseReport], make_report: Callable[..., SuiteReport]
) -> None:
    case = make_case(
        "a",
        "fail",
        reasons=("100%\r\n::set-env name=X::y", "\r::stop-commands::x"),
        path="a,b:c%.yaml",
        line=1,
    )
    report = make_report([case], "failed", invalid_files=(InvalidFile(path="x", message="m\n::x"),))
    lines = GithubReporter().report(report).splitlines()
    assert len(lines) == 3
    assert lines[1].startswith("::error file=a%2Cb%3Ac%25.yaml,line=1,title=a failed::100%25 ")


def test_paths_are_relative_to_the_workspace(
    make_case: Callable[..., CaseReport],
    make_report: Callable[..., SuiteReport],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    package = tmp_path / "packages" / "x"
    package.mkdir(parents=True)
    monkeypatch.chdir(package)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    cases = [
        make_case("a", "fail", path=str(package / "l1" / "a.yaml"), line=2),
        make_case("b", "fail", path="l1/b.yaml", line=4),
        make_case("c", "fail", path="/elsewhere/c.yaml", line=5),
    ]
    lines = GithubReporter().report(make_report(cases, "failed")).splitlines()
    assert lines[0].startswith("::error file=packages/x/l1/a.yaml,line=2")
    assert lines[1].startswith("::error file=packages/x/l1/b.yaml,line=4")
    assert lines[2].startswith("::error file=/elsewhere/c.yaml,line=5")


def test_the_step_summary_stays_within_a_mebibyte(
    make_case: Callable[..., CaseReport], make_report: Callable[..., SuiteReport]
) -> None:
    cases = [make_case(f"case_{n}", "fail", reasons=("🙂" * 400,)) for n in range(20_000)]
    raw = step_summary(make_report(cases, "failed")).encode()
    assert SUMMARY_LIMIT // 2 < len(raw) <= SUMMARY_LIMIT
