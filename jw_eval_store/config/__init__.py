"""The configuration: what it is, and where each of its values comes from.

`Config` and `load_config` are imported when they are first named, so that `config.database`, which
reading commands use, does not wait for pydantic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jw_eval_store.config.load import Config, load_config

__all__ = ["Config", "load_config"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from jw_eval_store.config import load

    return getattr(load, name)
