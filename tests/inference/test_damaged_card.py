"""A card that is damaged is said with the next step, and nothing is decided by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jw_eval_nli
import pytest

from jw_eval_store.config import load_config
from jw_eval_store.domain.errors import InfrastructureError
from jw_eval_store.judges.inference.choose import choose_inference
from jw_eval_store.judges.inference.embedded import verified
from jw_eval_store.judges.inference.profiles import shipped_inference_profile
from jw_eval_store.judges.inference.reader import UnavailableReader
from jw_eval_store.runs.inference_check import check_inference
from jw_eval_store.runs.inferring import open_reader
from jw_eval_store.store.connect import writing


def _no_json() -> Any:
    raise ValueError("Expecting value: line 1 column 1 (char 0)")


def _low() -> Any:
    return _GOOD | {"thresholds": [{"kind": "doctrine", "language": "es", "pass_at": 0.1}]}


_GOOD = jw_eval_nli.card()


@pytest.fixture(params=[_no_json, dict, lambda: [], _low], ids=["no json", "empty", "list", "low"])
def card(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(jw_eval_nli, "card", request.param)
    verified.cache_clear()
    yield request.param
    verified.cache_clear()


@pytest.mark.usefixtures("card")
def test_a_damaged_card_is_refused_with_the_next_step() -> None:
    with pytest.raises(InfrastructureError, match="card of jw_eval_nli is damaged") as caught:
        shipped_inference_profile()
    assert "--force-reinstall" in (caught.value.hint or "")


@pytest.mark.sampled(2)
def test_nothing_is_decided_by_a_damaged_card(card: Callable[[], Any], tmp_path: Path) -> None:
    environ = {"JW_EVAL_NLI": "embedded", "JW_EVAL_DB": str(tmp_path / "results.db")}
    config = load_config(tmp_path, environ=environ)
    with writing(config.database) as conn:
        reader = open_reader(conn, config.settings.judge)
    assert isinstance(reader, UnavailableReader)
    assert check_inference(config).state == "broken"
    if card is not _low:
        with pytest.raises(InfrastructureError):
            choose_inference("embedded")


_OLDER = {"intercept": 4.0, "each": -1.0, "share": -5.0}


@pytest.mark.parametrize("figures", [{}, {"weight": 1.5}, {"weight": "x"}, {"weight": 1, "new": 1}])
def test_figures_for_words_of_another_age_are_refused(
    figures: dict[str, Any], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    words = {"chat": _OLDER | figures}
    monkeypatch.setattr(jw_eval_nli, "card", lambda: _GOOD | {"words": words})
    request.addfinalizer(verified.cache_clear)
    verified.cache_clear()
    with pytest.raises(InfrastructureError, match="of another age") as caught:
        choose_inference("embedded")
    assert "./models/nli/package" in (caught.value.hint or "")


@pytest.mark.usefixtures("card")
def test_where_none_is_set_it_breaks_nothing(tmp_path: Path) -> None:
    assert check_inference(load_config(tmp_path, environ={})).state == "off"
