"""Start of a host process: `python boot.py REQUESTS_FD REPLIES_FD`.

Loads this folder as a package of its own name, whatever the agent's interpreter has installed, and
leaves `sys.path` as the agent would find it without us.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import struct
import sys

PACKAGE = "_jw_eval_host"
OLDEST = (3, 9)


def main() -> None:
    """Serve until the tool closes its end of the pipe."""
    requests, replies = int(sys.argv[1]), int(sys.argv[2])
    if sys.version_info < OLDEST:
        return _refuse(replies)
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or os.curdir) != here]
    spec = importlib.util.spec_from_file_location(
        PACKAGE, os.path.join(here, "__init__.py"), submodule_search_locations=[here]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot load {here}")
    package = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = package
    spec.loader.exec_module(package)
    sys.argv[:] = ["agent"]
    importlib.import_module(f"{PACKAGE}.serve").serve(requests, replies)


def _refuse(replies: int) -> None:
    """Say so in the protocol's own words; the rest of the package would not even load."""
    said = "Python {}.{} of {} is too old for a host".format(*sys.version_info[:2], sys.executable)
    frame = json.dumps({"failed": said, "hint": "name an interpreter of 3.9 or newer"}).encode()
    os.write(replies, struct.pack(">I", len(frame)) + frame)


if __name__ == "__main__":
    main()
