"""No test reads the user's own folders, configuration or variables."""

from __future__ import annotations

import os
import random
from collections import defaultdict
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("busy machine", deadline=None, max_examples=15)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile("busy machine")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test marked `sampled(n)` n sets of parameters stay; the others are `long`."""
    sampled: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sampled") and not item.get_closest_marker("long"):
            sampled[item.nodeid.partition("[")[0]].append(item)
    for name, sets in sampled.items():
        marker = sets[0].get_closest_marker("sampled")
        assert marker is not None
        for item in random.Random(name).sample(sets, max(0, len(sets) - marker.args[0])):
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session", autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in [*os.environ]:
            if name.startswith(("JW_EVAL_", "GITHUB_")) or name in ("NO_COLOR", "FORCE_COLOR"):
                patch.delenv(name)
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
            patch.setenv(name, str(home))
        yield
