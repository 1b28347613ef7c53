"""Options that several commands share are called and answered alike."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from jw_eval_cli.main import cli
from jw_eval_cli.options import FormatChoice
from jw_eval_store.reports.formats import format_named
from tests.cli.test_help import ALL

PAIRS = (("md", "markdown"), ("table", "text"))
FORMATS = [
    (" ".join(path), param)
    for path, command in ALL
    for param in command.params
    if param.name == "form" and path != ("export",)  # which writes files
]


@pytest.mark.parametrize(("path", "option"), FORMATS, ids=[path for path, _ in FORMATS])
def test_a_format_is_known_by_both_of_its_names(path: str, option: click.Parameter) -> None:
    assert isinstance(option.type, FormatChoice)
    choices = option.type.choices
    for pair in PAIRS:
        here = [name for name in pair if name in choices]
        for name in pair if here else ():
            assert option.type.convert(name.upper(), option, None) == here[0]


def test_a_report_is_known_by_both_names_too() -> None:
    assert [format_named(name) for name in ("markdown", "md", "table", "text")] == [
        "md", "md", "text", "text",
    ]  # fmt: skip


def test_a_format_that_is_none_names_those_there_are() -> None:
    result = CliRunner().invoke(cli, ["trend", "--format", "tabel"])
    assert (result.exit_code, "'table', 'json', 'csv', 'md'" in result.stderr) == (2, True)


def test_agents_to_check_are_named_by_the_option_of_other_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jw-eval.toml").write_text("")
    checked = [
        CliRunner().invoke(cli, ["agents", "check", "--format", "csv", *named])
        for named in (
            ("soul", "hope"),
            ("--agent", "soul", "--agent", "hope"),
            ("hope", "--agent", "soul"),
        )
    ]
    assert [result.exit_code for result in checked] == [3, 3, 3]
    rows = [sorted(line.split(",")[0] for line in r.stdout.splitlines()[1:]) for r in checked]
    assert rows == [["hope", "soul"]] * 3
