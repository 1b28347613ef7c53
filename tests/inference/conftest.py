"""The real model, loaded once. It is part of the project, so tests fail where it is missing."""

from __future__ import annotations

import pytest

from jw_eval_store.judges.inference.embedded import INSTALL, EmbeddedModel, installed_card


@pytest.fixture(scope="session")
def embedded() -> EmbeddedModel:
    """The packaged model; the tests run from a checkout: pip install -e models/nli/package."""
    if installed_card() is None:
        pytest.fail(f"jw_eval_nli is not installed: make test, or {INSTALL}")
    return EmbeddedModel()
