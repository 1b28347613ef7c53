"""A site to fetch from."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import trustme

from tests.fetching.site import Site, serving


@pytest.fixture(scope="session")
def ca() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def site(ca: trustme.CA) -> Iterator[Site]:
    with serving(Site(ca)) as served:
        yield served
