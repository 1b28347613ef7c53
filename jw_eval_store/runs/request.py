"""What a run is asked to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from jw_eval_store.domain.cases import Layer
from jw_eval_store.domain.selections import Selection
from jw_eval_store.domain.shards import Shard
from jw_eval_store.runs.given import Given

DEFAULT_LAYERS: tuple[Layer, ...] = ("l1", "l2")
"""What CI runs on every commit; L3 is asked for."""


@dataclass(frozen=True)
class RunRequest:
    """One run.

    `layers_asked` says whether the layers were named: a named layer without a case is an empty
    selection. `shard` is the part of the selected cases that is judged here. `since` is `last`, a
    run, a date or a git revision. `min_pass` overrides the policy's bar per layer (0..1),
    `min_decided` the share that must be decided. `baseline` is the name of an approved run, a run,
    or the path of a JSON report. `repeat` asks and judges each case several times (see
    `repeating`); `fresh` asks judges anew, whatever the cache of replies holds. `recordings` is a
    folder, zip or HAR file to replay from. `given` replaces what is configured.
    """

    selection: Selection = field(default_factory=Selection)
    layers_asked: bool = False
    shard: Shard | None = None
    bundled: bool = False
    since: str | None = None
    explain: bool = False
    baseline: str | None = None
    jobs: int | None = None
    fail_fast: bool = False
    resume: str | None = None
    min_pass: Mapping[Layer, float] = field(default_factory=dict)
    min_decided: Mapping[Layer, float] = field(default_factory=dict)
    repeat: int = 1
    fresh: bool = False
    recordings: Path | None = None
    given: Given = field(default_factory=Given)
