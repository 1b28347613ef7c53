"""What the machine brings: Python and SQLite."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from importlib.metadata import version

from jw_eval_store.config import Config
from jw_eval_store.integrations.doctor.finding import Finding, broken, fine, note


def python(config: Config) -> Iterator[Finding]:
    """The interpreter, and where it is."""
    text = f"{platform.python_version()} ({sys.executable}), jw-eval {version('jw-eval-store')}"
    yield fine("python", f"{text}, {platform.platform(terse=True)}")


def sqlite(config: Config) -> Iterator[Finding]:
    """The library, and the extension for nearest neighbours."""
    from jw_eval_store.store.library import sqlite_version
    from jw_eval_store.store.vectors import index_available

    found, is_new_enough = sqlite_version()
    if is_new_enough:
        yield fine("sqlite", found)
    else:
        yield broken("sqlite", f"{found} is too old", "use a Python with SQLite 3.37 or newer")
    if index_available():
        yield fine("sqlite-vec", "loads; similar cases are found by an index")
    else:
        missing = "does not load; similar cases are found by comparing all"
        yield note("sqlite-vec", missing, "pip install pysqlite3-binary, if cases are many")
