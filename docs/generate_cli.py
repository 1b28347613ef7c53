"""Write docs/cli.md from the commands' own help: `make docs`. A test holds the file against it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from jw_eval_cli.main import cli
from jw_eval_store.config.environment import VARIABLES

TARGET = Path(__file__).with_name("cli.md")

INTRODUCTION = """\
# Command line

<!-- Written by docs/generate_cli.py from the commands' help. Change the help, then: make docs -->

## Exit codes

| code | meaning |
|---:|---|
| 0 | the gate passed, or nothing judged blocks; with `--since`, also when nothing was stale |
| 1 | the gate failed, or coverage is missing |
| 2 | wrong usage, configuration, or an invalid case file |
| 3 | could not be decided, where the layer blocks: agent, judge, network or database is down |
| 4 | internal error of jw-eval |
| 5 | the selection matched nothing, or the baseline none of the cases judged |
| 130 | interrupted |

Where several apply, the first of 130, 4, 2, 1, 3, 5 counts. The printed verdict, `gate` in the JSON
report and the exit code of `jw-eval run` come from one function. Writing a report never changes the
exit code. L3 does not block: a run of it alone is headed `REPORTED`, and its `gate` says `passed`
with `binding` false; `--min-decided l3=0.9` makes it count. Where no agent gave an answer at all it
ends with 3.

## Output

Data goes to stdout, progress and messages to stderr. Reports are 100 columns wide where stdout is
no terminal, and lists are not folded there. On a terminal, ids, numbers and verdicts stay whole: a
list that is too wide leaves out columns (`--format csv` has all), or prints a block a row.
`NO_COLOR` removes colours, `FORCE_COLOR` forces them.

## Completion

The shell completes commands, options, cases, agents and runs once it has been told so:

```console
eval "$(_JW_EVAL_COMPLETE=bash_source jw-eval)"                # bash: in ~/.bashrc
eval "$(_JW_EVAL_COMPLETE=zsh_source jw-eval)"                 # zsh: in ~/.zshrc
_JW_EVAL_COMPLETE=fish_source jw-eval | source                 # fish: in config.fish
```

## Configuration

The first of these that says something counts:

1. a flag;
2. a variable of the environment;
3. `jw-eval.toml`, or `[tool.jw-eval]` in `pyproject.toml`: the nearest one, from the current folder
   upwards;
4. your own `jw-eval.toml` in the user's configuration folder (`~/.config/jw-eval/` on Linux);
5. the default.

A path starts from the folder of the file that names it; in a variable or flag, from the current
folder. An empty variable counts as unset. `jw-eval config show` says where each value comes from.

| variable | key |
|---|---|
"""


def reference() -> str:
    """The whole page."""
    variables = "".join(f"| `{name}` | `{key}` |\n" for name, key in VARIABLES.items())
    return INTRODUCTION + variables + "\n" + "\n".join(_sections(cli, ("jw-eval",)))


def _sections(command: click.Command, path: tuple[str, ...]) -> Iterator[str]:
    info = {**cli.context_settings, "terminal_width": 100}
    with click.Context(command, info_name=" ".join(path), **info) as context:
        text = command.get_help(context).rstrip()
        yield f"## {' '.join(path)}\n\n```text\n{text}\n```\n"
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                below = command.get_command(context, name)
                assert below is not None
                yield from _sections(below, (*path, name))


if __name__ == "__main__":
    TARGET.write_text(reference(), encoding="utf-8", newline="\n")
