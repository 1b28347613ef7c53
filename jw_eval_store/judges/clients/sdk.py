"""What the libraries of OpenAI and Anthropic share: how to have them, what their errors mean."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.judges.clients.http import (
    CONNECT_TIMEOUT,
    is_local,
    refusal,
    refused,
    reset,
    shown_url,
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


@dataclass(frozen=True)
class Service:
    """One library at one address, with its key, which no message ever shows.

    `seconds`: longest wait for a reply.
    """

    module: Any
    url: str
    seconds: float
    key: str | None = field(default=None, repr=False)

    @property
    def server(self) -> str:
        """The address as people are told it."""
        return f"the server at {shown_url(self.url)}"

    def connection(self) -> dict[str, Any]:
        """Arguments for the library's client: no redirects, no retries, no proxy on this machine.

        The key goes over https or stays on this machine.
        """
        local = is_local(self.url)
        safe = local or self.url.startswith("https://")
        return {
            "base_url": self.url,
            "api_key": (self.key if safe else None) or "none",
            "max_retries": 0,
            "timeout": self.module.Timeout(self.seconds, connect=CONNECT_TIMEOUT),
            "http_client": self.module.DefaultHttpxClient(
                follow_redirects=False, trust_env=not local
            ),
        }

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Errors of the library as ours: whatever happens, it is no verdict."""
        try:
            yield
        except JudgeError:
            raise
        except self.module.APIStatusError as error:
            response = error.response
            said = self._without_key(error.message)
            raise refusal(self.server, response.status_code, said, response.headers) from None
        except self.module.APITimeoutError as error:
            raise timed_out(self.server, self.seconds) from error
        except self.module.APIConnectionError as error:
            raise _unconnected(self.server, error) from error
        except Exception as error:
            raise reset(self.server, error) from error

    def _without_key(self, message: str) -> str:
        return message.replace(self.key, "***") if self.key else message


def _unconnected(server: str, error: Exception) -> JudgeError:
    cause = error.__cause__
    if type(cause).__name__ == "ConnectError":
        hint = "start the server, or set JW_EVAL_LLM_URL to where it runs"
        return refused(server, error, hint)
    return reset(server, cause if isinstance(cause, Exception) else error)
