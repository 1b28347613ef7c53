"""Let a Typer program offer the commands as its own: `jw eval ...`.

Typer brings its own copy of click, so a click group can't simply be added to it: the words after
the name are handed over as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

_OWN_OPTIONS = ("-h", "--help", "--version", "--debug")


def mount(app: typer.Typer, name: str = "eval", program: str = "jw") -> None:
    """Add the command `name` to a Typer program called `program`.

    An option in place of a command means `run`, so that `jw eval --layer 1,2` judges the cases of
    these layers. Exit codes are those of jw-eval.
    """
    from typer import Context

    def evaluate(context: Context) -> None:
        """Golden cases and results of agents that answer Bible questions with citations."""
        from jw_eval_cli.main import main

        main(_as_command(context.args), f"{program} {name}")

    evaluate.__annotations__["context"] = Context  # a local name, which Typer could not look up
    settings = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
    app.command(name, context_settings=settings, add_help_option=False)(evaluate)


def _as_command(arguments: list[str]) -> list[str]:
    if not arguments:
        return ["--help"]
    is_option = arguments[0].startswith("-") and arguments[0] not in _OWN_OPTIONS
    return ["run", *arguments] if is_option else arguments
