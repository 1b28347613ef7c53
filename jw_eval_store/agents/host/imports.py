"""Do something right after a module has been imported, whenever the agent comes to it.

HTTP clients take long to import, so they are met when they come, and not fetched.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Optional

Action = Callable[[Any], None]


def after_import(actions: Mapping[str, Action]) -> None:
    """Call each action with its module: now if it is there already, else once it is."""
    waiting = dict(actions)
    for name in [name for name in waiting if name in sys.modules]:
        waiting.pop(name)(sys.modules[name])
    sys.meta_path.insert(0, _Finder(waiting))


class _Finder(MetaPathFinder):
    def __init__(self, waiting: dict[str, Action]) -> None:
        self._waiting = waiting

    def find_spec(
        self, name: str, path: Any = None, target: Optional[ModuleType] = None
    ) -> Optional[ModuleSpec]:
        action = self._waiting.pop(name, None)
        if action is None:
            return None
        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, action)
        return spec


class _Loader(Loader):
    """The module's own loader, with the action behind it."""

    def __init__(self, loader: Any, action: Action) -> None:
        self._loader = loader
        self._action = action

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> Optional[ModuleType]:
        found: Optional[ModuleType] = self._loader.create_module(spec)
        return found

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        self._action(module)
