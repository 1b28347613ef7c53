"""Commands that any page names exist, with the options that it gives them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from jw_eval_cli.main import cli
from tests.docs.examples import ROOT

PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "action.yml"]
PAGES += ROOT.glob(".github/workflows/*.yml")
_BLOCK = re.compile(r"^ *(?:\$ |run: )?((?:\w+=\S+ )?jw-eval [^\n]*)$", re.MULTILINE)
_FENCED = re.compile(r"^ *```\w.*?^ *```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`(jw-eval [^`\n]+)`")


def commands(path: Path) -> list[str]:
    """The calls of jw-eval that a page shows, folded lines joined."""
    text = re.sub(r"\\\n\s*", "", path.read_text(encoding="utf-8"))
    fenced = "\n".join(_FENCED.findall(text)) if path.suffix == ".md" else text
    return [*_BLOCK.findall(fenced), *_INLINE.findall(text)]


def words_of(call: str) -> list[str]:
    """The words after `jw-eval`, up to a comment, pipe or redirection."""
    lexer = shlex.shlex(call.replace("...", ""), posix=True, punctuation_chars="|;&><")
    lexer.whitespace_split, lexer.commenters = True, "#"
    words = list(lexer)
    end = next((i for i, word in enumerate(words) if set(word) <= set("|;&><")), len(words))
    return words[words.index("jw-eval") + 1 : end]


def check(call: str) -> None:
    """Raises AssertionError for a command or an option that is not there."""
    command: click.Command = cli
    for word in words_of(call):
        context = click.Context(command, **cli.context_settings)
        if word.startswith("-"):
            name = word.partition("=")[0]
            known = {o for p in command.get_params(context) for o in (*p.opts, *p.secondary_opts)}
            assert name in known, f"{call}: no option {name}"
        elif isinstance(command, click.Group):
            found = command.get_command(context, word)
            assert found is not None, f"{call}: no command {word}"
            command = found


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_page_calls_is_there(path: Path) -> None:
    for call in commands(path):
        check(call)


@pytest.mark.parametrize("call", ["jw-eval rnu", "jw-eval run --layr 1", "jw-eval cases ad"])
def test_what_is_not_there_would_be_noticed(call: str) -> None:
    with pytest.raises(AssertionError, match="no "):
        check(call)
