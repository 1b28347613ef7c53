"""Where bundled files are: in the wheel's `_bundled`, else in the checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def bundled(name: str) -> Path:
    """Folder of bundled files: `migrations`, `seeds` or `snapshots`.

    Raises FileNotFoundError where neither the wheel nor a checkout holds it.
    """
    for parent in (_PACKAGE / "_bundled", _PACKAGE.parent):
        if (parent / name).is_dir():
            return parent / name
    raise FileNotFoundError(f"jw-eval is installed without its folder {name!r}; install it again")
