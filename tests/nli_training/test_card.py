"""The data card is of the training that it is asked for."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

from nli_training.steps import write_card


def test_the_recipe_is_that_of_the_named_training(tmp_path: Path) -> None:
    for name, text in (("exported.json", '{"files": {}}'), ("counts.json", "{}")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    for run, epochs in (("run", 1), ("other", 2)):
        (tmp_path / run).mkdir()
        (tmp_path / run / "recipe.json").write_text(json.dumps({"epochs": epochs}))
    for run, epochs in (("run", 1), ("other", 2)):
        write_card(Namespace(out=tmp_path, run=run, package=tmp_path))
        card = json.loads((tmp_path / "card.json").read_text(encoding="utf-8"))
        assert card["recipe"] == {"epochs": epochs}
        assert card["thresholds"] == []
