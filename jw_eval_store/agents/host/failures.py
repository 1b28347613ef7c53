"""What is said of an agent that failed, and how a case's input becomes its arguments."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Mapping
from typing import Any, Optional

FRAMES = 6
"""Frames kept of a traceback: the last ones, where the agent's own code is."""


def arguments(case_input: Mapping[str, Any], rename: Mapping[str, str]) -> dict[str, Any]:
    """Keyword arguments from a case's input. A renamed key gives way to the parameter's own."""
    taken = {rename[key] for key in case_input if key in rename and rename[key] in case_input}
    return {
        rename.get(key, key): value
        for key, value in case_input.items()
        if rename.get(key) not in taken
    }


def describe(exc: BaseException, function: Callable[..., Any], kwargs: Mapping[str, Any]) -> str:
    """One exception for people: wrong arguments with the rename that helps, else a short trace."""
    wrong = _wrong_arguments(exc, function, kwargs)
    if wrong:
        return wrong
    lines = traceback.format_exception_only(type(exc), exc)
    frames = traceback.extract_tb(exc.__traceback__)[-FRAMES:]
    return "".join([*lines, *traceback.format_list(frames)]).rstrip()


def _wrong_arguments(
    exc: BaseException, function: Callable[..., Any], kwargs: Mapping[str, Any]
) -> Optional[str]:
    if not isinstance(exc, TypeError):
        return None
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    try:
        signature.bind(**kwargs)
    except TypeError as cause:
        return (
            f"TypeError: input keys ({', '.join(kwargs)}) do not fit the agent's parameters "
            f"{signature}: {cause}; map them with rename, such as rename = {{ reference = 'text' }}"
        )
    return None
