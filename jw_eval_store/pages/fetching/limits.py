"""How much a fetch may take, and how polite it is."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version

DEFAULT_HOSTS = ("wol.jw.org", "www.jw.org")


def user_agent() -> str:
    """Who asks: name, version, purpose."""
    return f"jw-eval/{version('jw-eval-store')} (checks cited pages for changes)"


@dataclass(frozen=True)
class Limits:
    """Times in seconds, sizes in bytes.

    `total` bounds one answer from the first byte sent to the last one read, so that a slow drip
    ends. `pace` lies between two requests to one host, of which `per_host` run at once; robots.txt
    may ask for more. `max_ratio` is how much larger a page may become by decompression, above
    `free_size`. Waits between attempts grow from `backoff`; one longer than `max_wait` is not
    waited for.
    """

    max_bytes: int = 8_000_000
    max_ratio: float = 100.0
    free_size: int = 1_000_000
    connect: float = 10.0
    read: float = 20.0
    total: float = 60.0
    max_redirects: int = 5
    attempts: int = 4
    backoff: float = 1.0
    max_wait: float = 60.0
    pace: float = 1.0
    per_host: int = 2
