"""Groups whose commands are imported only when they are called, so that help is quick."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

Sections = Mapping[str, Mapping[str, tuple[str, str]]]
"""Heading -> command -> (`module:attribute`, one line of help)."""

_UNCUT = 10_000
"""Characters that no sentence of help reaches."""


class LazyGroup(click.Group):
    """A group that knows its commands by name and one line of help, in sections."""

    def __init__(self, *args: Any, sections: Sections | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sections: Sections = sections or {}

    @property
    def table(self) -> dict[str, tuple[str, str]]:
        """All commands, without their sections."""
        return {name: entry for part in self.sections.values() for name, entry in part.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return [*self.table, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        entry = self.table.get(cmd_name)
        if entry is None:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = entry[0].partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, but an unknown command names the nearest, and no value is empty."""
        names = self.list_commands(ctx)
        if args and args[0] not in names and not args[0].startswith("-"):
            near = get_close_matches(args[0], names)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            ctx.fail(f"No such command {args[0]!r}.{hint}")
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and not ctx.resilient_parsing:
            _refuse_empty(click.Context(command, info_name=name, parent=ctx), rest)
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands of the table without importing them, then all others.

        Each with its whole first sentence, which click would cut at the end of the line.
        """
        for heading, part in self.sections.items():
            with formatter.section(heading):
                formatter.write_dl([(name, help_line) for name, (_, help_line) in part.items()])
        if shown := [name for name in super().list_commands(ctx) if not self.commands[name].hidden]:
            lines = [(name, self.commands[name].get_short_help_str(_UNCUT)) for name in shown]
            with formatter.section("Commands"):
                formatter.write_dl(lines)


def _refuse_empty(ctx: click.Context, args: Sequence[str]) -> None:
    """Raise for an empty value: it is a variable that a script forgot, never what was meant.

    Told from the words as they were typed; once converted, an empty path looks like the folder.
    """
    given, _, _ = ctx.command.make_parser(ctx).parse_args(list(args))
    for param in ctx.command.get_params(ctx):
        value = given.get(param.name or "")
        values = value if isinstance(value, list | tuple) else [value]
        if any(isinstance(one, str) and not one.strip() for one in values):
            said = "it is empty; is a variable of the script not set?"
            raise click.BadParameter(said, ctx=ctx, param=param)
