"""A `gh` that knows `gh api` only, and passes requests on to the stand-in, as the program does."""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request


def main(arguments: list[str]) -> int:
    assert arguments[:2] == ["api", "--method"], arguments
    method, rest = arguments[2], arguments[3:]
    headers = {}
    while rest[0] == "-H":
        name, _, value = rest[1].partition(": ")
        headers[name] = value
        rest = rest[2:]
    path, rest = rest[0], rest[1:]
    assert rest in ([], ["--input", "-"]), rest
    body = sys.stdin.buffer.read() if rest else None
    headers |= {"Authorization": f"Bearer {os.environ['GH_TOKEN']}", "User-Agent": "GitHub CLI"}
    if body:
        headers["Content-Type"] = "application/json"
    url = f"{os.environ['FAKE_GH_URL']}/{path}"
    request = urllib.request.Request(url, data=body, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            sys.stdout.write(response.read().decode())
    except urllib.error.HTTPError as error:
        told = json.loads(error.read()).get("message", "")
        sys.stderr.write(f"gh: {told} (HTTP {error.code})\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
