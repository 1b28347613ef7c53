"""What `--help` says, of every command."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from jw_eval_cli.lazy import LazyGroup
from jw_eval_cli.main import cli


def commands(
    command: click.Command = cli, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found, (*path, name))


ALL = list(commands())


every_command = pytest.mark.parametrize(
    ("path", "command"), ALL, ids=[" ".join(path) or "-" for path, _ in ALL]
)


@every_command
def test_every_command_has_help_with_an_example(
    path: tuple[str, ...], command: click.Command
) -> None:
    text = CliRunner().invoke(cli, [*path, "--help"]).output
    assert "Example" in text
    assert f"jw-eval {' '.join(path)}".strip() in text.split("Example", 1)[1]
    for option in command.params:
        if isinstance(option, click.Option) and not option.hidden:
            name = max(option.opts, key=len)
            assert name in text, f"{name} is not in the help"


@every_command
def test_no_help_is_wider_than_80_columns(path: tuple[str, ...], command: click.Command) -> None:
    text = CliRunner().invoke(cli, [*path, "--help"], terminal_width=80).output
    assert [line for line in text.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize(
    ("path", "group"),
    [(path, command) for path, command in ALL if isinstance(command, click.Group)],
    ids=[" ".join(path) or "-" for path, command in ALL if isinstance(command, click.Group)],
)
def test_a_group_cuts_no_sentence(path: tuple[str, ...], group: click.Group) -> None:
    text = CliRunner().invoke(cli, [*path, "--help"], terminal_width=80).output
    listed = " ".join(text.partition("Options:")[2].split())
    context = click.Context(group)
    for name in group.list_commands(context):
        assert f" {name} " in listed
    assert "..." not in listed


GROUPS = [command for _, command in ALL if isinstance(command, LazyGroup) and command.table]


@pytest.mark.parametrize("group", GROUPS, ids=[str(group.name) for group in GROUPS])
def test_a_group_lists_its_commands_by_their_names_with_a_sentence_each(group: LazyGroup) -> None:
    context = click.Context(group)
    for name, (_, help_line) in group.table.items():
        command = group.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert help_line.endswith(".")
        assert len(help_line) <= 100
