"""Two ways to the GitHub API with one face: the `gh` program where it is installed, else REST."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

from jw_eval_store.domain.errors import InfrastructureError, UsageError

API_VERSION = "2022-11-28"
_ACCEPT = "application/vnd.github+json"
_PER_PAGE = 100
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+")
_SECONDS = 60


class GithubError(InfrastructureError):
    """GitHub refused a request, or could not be reached. `status` is none where it was not."""

    def __init__(self, message: str, status: int | None, *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.status = status


class Api(ABC):
    """Requests to one repository; paths are relative to `/repos/OWNER/NAME`."""

    def __init__(self, repository: str) -> None:
        self.repository = repository

    @abstractmethod
    def request(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """The answer's JSON. Raises GithubError."""

    def all_pages(self, path: str) -> Iterator[dict[str, Any]]:
        """All items of a list; `path` already has a query."""
        page = 1
        while True:
            items = self.request("GET", f"{path}&per_page={_PER_PAGE}&page={page}")
            yield from items
            if len(items) < _PER_PAGE:
                return
            page += 1


class RestApi(Api):
    """The REST API with a token (`GITHUB_TOKEN`), at `GITHUB_API_URL`."""

    def __init__(self, repository: str, token: str, url: str) -> None:
        super().__init__(repository)
        self._token = token
        self._url = url.rstrip("/")

    def request(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """One request; waits and asks again where GitHub asks for it."""
        import httpx
        from tenacity import Retrying, retry_if_result, stop_after_attempt, wait_exponential

        again = (429, 502, 503) if method == "GET" else (429,)  # else a write might happen twice
        retrying = Retrying(
            stop=stop_after_attempt(3),
            wait=wait_exponential(max=20),
            retry=retry_if_result(lambda response: response.status_code in again),
            retry_error_callback=lambda state: state.outcome and state.outcome.result(),
        )
        try:
            response = retrying(self._send, method, path, body)
        except httpx.HTTPError as error:
            raise GithubError(f"{self._url} can't be reached: {error}", None) from error
        if response.status_code >= 400:
            raise _refused(method, path, response.status_code, response.text)
        return response.json()

    def _send(self, method: str, path: str, body: Mapping[str, Any] | None) -> Any:
        import httpx

        return httpx.request(
            method,
            f"{self._url}/repos/{self.repository}{path}",
            json=body,
            timeout=_SECONDS,
            headers={
                "Accept": _ACCEPT,
                "Authorization": f"Bearer {self._token}",
                "X-GitHub-Api-Version": API_VERSION,
                "User-Agent": "jw-eval",
            },
        )


class GhApi(Api):
    """The `gh` program, which knows its own credentials."""

    def __init__(self, repository: str, program: str) -> None:
        super().__init__(repository)
        self._program = program

    def request(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """One `gh api` call; a body goes to its standard input."""
        command = [self._program, "api", "--method", method, "-H", f"Accept: {_ACCEPT}"]
        command += ["-H", f"X-GitHub-Api-Version: {API_VERSION}"]
        command += [f"repos/{self.repository}{path}", *(["--input", "-"] if body else [])]
        try:
            done = subprocess.run(
                command,
                input=json.dumps(body) if body else "",
                capture_output=True,
                encoding="utf-8",
                timeout=_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise GithubError(f"gh can't be run: {error}", None) from error
        if done.returncode:
            found = re.search(r"HTTP (\d{3})", done.stderr)
            raise _refused(method, path, int(found[1]) if found else None, done.stderr)
        return json.loads(done.stdout or "null")


def open_api(repository: str | None, environ: Mapping[str, str] | None = None) -> Api:
    """The way to a repository (default: `GITHUB_REPOSITORY`).

    Raises UsageError where no repository is named, or neither `gh` nor a token is there.
    """
    variables = os.environ if environ is None else environ
    name = repository_named(repository, variables)
    program = shutil.which("gh", path=variables.get("PATH"))
    if program:
        return GhApi(name, program)
    token = variables.get("GITHUB_TOKEN") or variables.get("GH_TOKEN")
    if not token:
        raise UsageError(
            "neither the program gh nor a token is there", hint="set GITHUB_TOKEN, or use --dry-run"
        )
    return RestApi(name, token, variables.get("GITHUB_API_URL") or "https://api.github.com")


def repository_named(repository: str | None, variables: Mapping[str, str]) -> str:
    """`OWNER/NAME` as given, else of the workflow. Raises UsageError."""
    name = repository or variables.get("GITHUB_REPOSITORY", "")
    if not _REPOSITORY.fullmatch(name):
        what = f"{name!r} is no repository" if name else "no repository is named"
        raise UsageError(what, hint="--repo OWNER/NAME (or GITHUB_REPOSITORY)")
    return name


def _refused(method: str, path: str, status: int | None, text: str) -> GithubError:
    hints = {
        401: "the token is not valid",
        403: "the token may not do this: it needs to write issues (permissions: issues: write)",
        404: "look at --repo, and whether the token may see that repository",
        410: "issues are switched off in that repository",
    }
    told = " ".join(text.split())[:300]
    message = f"GitHub refused {method} {path.partition('?')[0]}: {status or 'no status'} {told}"
    return GithubError(message, status, hint=hints.get(status or 0))
