"""Questions on a terminal: every answer is checked at once, and asked for again if refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from jw_eval_store.domain.errors import UsageError

T = TypeVar("T")
Check = Callable[[str], object]
"""Raises UsageError for an answer that is refused."""


def until_valid(ask: Callable[[], T]) -> T:
    """Ask again as long as the answer is refused, saying why."""
    while True:
        try:
            return ask()
        except UsageError as error:
            click.echo(str(error), err=True)


def refusal(check: Check, answer: str) -> str | None:
    """Why an answer is refused, if it is."""
    try:
        check(answer)
    except UsageError as error:
        return str(error)
    return None


def required(question: str, check: Check, default: str | None = None) -> str:
    """An answer that there must be; the default is shown, and taken for an empty one."""

    def ask() -> str:
        answer = str(click.prompt(question, default=default, err=True)).strip()
        check(answer)
        return answer

    return until_valid(ask)


def optional(question: str, check: Check = str) -> str:
    """An answer that may be empty."""

    def ask() -> str:
        answer = str(click.prompt(question, default="", show_default=False, err=True)).strip()
        if answer:
            check(answer)
        return answer

    return until_valid(ask)


def several(question: str, check: Check, *, at_least_one: bool = False) -> list[str]:
    """Answers until an empty one, each of them checked as it comes."""
    answers = [required(question, check)] if at_least_one else []
    while answer := optional("another one" if answers else f"{question}; empty to go on", check):
        answers.append(answer)
    return answers
