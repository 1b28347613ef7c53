"""What all clients over HTTP share: what a refusal means, and where an address leads."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit, urlunsplit

from jw_eval_store.judges.errors import JudgeUnreachableError
from jw_eval_store.text.waiting import retry_after

CONNECT_TIMEOUT = 5.0
"""Seconds to open a connection; a server that listens takes milliseconds."""

DESCRIPTION_TIMEOUT = 15.0
"""Seconds until a server has told of its models; nothing is loaded for that."""

_TRANSIENT = {408, 425, 429, 500, 502, 503, 504, 529}
_HINTS = {
    401: "set the API key of the judge (OPENAI_API_KEY or ANTHROPIC_API_KEY)",
    403: "the key may not use this model; choose another with JW_EVAL_LLM_MODEL",
    404: "choose a model that the server has with JW_EVAL_LLM_MODEL, or load it there",
}


def refusal(
    server: str, status: int, message: str, headers: Mapping[str, str], hint: str | None = None
) -> JudgeUnreachableError:
    """The error for an HTTP status of 400 or more."""
    transient = status in _TRANSIENT
    return JudgeUnreachableError(
        f"{server} answered {status}: {message[:500]}",
        hint=hint or _HINTS.get(status, "jw-eval judge check"),
        transient=transient,
        retry_after=retry_after(headers.get("retry-after")),
        outage=transient or status in _HINTS,
    )


def reset(server: str, error: Exception) -> JudgeUnreachableError:
    """The error for a connection that broke: asking again may help."""
    return JudgeUnreachableError(f"{server} broke the connection: {_words(error)}", transient=True)


def refused(server: str, error: Exception, hint: str) -> JudgeUnreachableError:
    """The error where nobody listens: asking again at once does not help."""
    return JudgeUnreachableError(f"{server} can't be reached: {_words(error)}", hint=hint)


def timed_out(server: str, seconds: float) -> JudgeUnreachableError:
    """The error for a server that did not answer in time. It is not asked again: it is busy."""
    return JudgeUnreachableError(
        f"{server} did not answer within {seconds:g} s",
        hint="raise timeout or first_token_timeout of [judge], or use a smaller model",
    )


def is_local(url: str) -> bool:
    """Whether an address stays on this machine."""
    host = urlsplit(url if "//" in url else f"//{url}").hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def shown_url(url: str) -> str:
    """An address without user, password, query and fragment: fit to be stored and printed."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
