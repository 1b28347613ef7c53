"""What the libraries of OpenAI and Anthropic share: how to have them, what their errors mean."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.judges.clients.http import (
    CONNECT_TIMEOUT,
    is_local,
    refusal,
    refused,
    reset,
    timed_out,
)
from jw_eval_store.judges.errors import JudgeError


def library(name: str, extra: str) -> Any:
    """An optional library. Raises UsageError that names the extra to install."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise UsageError(
            f"JW_EVAL_LLM={extra} needs the library {name}",
            hint=f"pip install 'jw-eval-store[{extra}]'",
        ) from error


def connection(module: Any, url: str, seconds: float) -> dict[str, Any]:
    """Arguments for a library's client: no redirects, no retries of its own, no proxy at home."""
    http = module.DefaultHttpxClient(follow_redirects=False, trust_env=not is_local(url))
    return {
        "base_url": url,
        "max_retries": 0,
        "timeout": module.Timeout(seconds, connect=CONNECT_TIMEOUT),
        "http_client": http,
    }


@contextmanager
def translated(module: Any, server: str, seconds: float) -> Iterator[None]:
    """Errors of a library as ours: whatever happens, it is no verdict."""
    try:
        yield
    except (JudgeError, UsageError):
        raise
    except module.APIStatusError as error:
        response = error.response
        raise refusal(server, response.status_code, error.message, response.headers) from error
    except module.APITimeoutError as error:
        raise timed_out(server, seconds) from error
    except module.APIConnectionError as error:
        cause = error.__cause__
        if type(cause).__name__ == "ConnectError":
            hint = "start the server, or set JW_EVAL_LLM_URL to where it runs"
            raise refused(server, error, hint) from error
        raise reset(server, cause if isinstance(cause, Exception) else error) from error
    except Exception as error:
        raise reset(server, error) from error
