"""A model for inference that knows sentences by heart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.judges.inference.interface import Inference, InferenceModel

ENTAILED, NEUTRAL, CONTRADICTED = (
    Inference(0.98, 0.01, 0.01),
    Inference(0.05, 0.9, 0.05),
    Inference(0.01, 0.01, 0.98),
)


class TableModel(InferenceModel):
    """What stands in the premise follows from it; what differs by `no` alone contradicts it.

    `table` has other probabilities for a premise and a hypothesis. `window` is in words. `pairs`
    are all that were asked.
    """

    label = "table"

    def __init__(
        self,
        table: Mapping[tuple[str, str], Inference] | None = None,
        *,
        window: int = 10_000,
        revision: str = "sha256:table",
    ) -> None:
        self.table, self.window, self.revision = dict(table or {}), window, revision
        self.pairs: list[tuple[str, str]] = []

    def infer(self, pairs: Sequence[tuple[str, str]]) -> list[Inference]:
        self.pairs += pairs
        return [self._infer(*pair) for pair in pairs]

    def _infer(self, premise: str, hypothesis: str) -> Inference:
        words = len(f"{premise} {hypothesis}".split())
        if words > self.window:
            raise UsageError(f"{words} words are too many")
        if (premise, hypothesis) in self.table:
            return self.table[premise, hypothesis]
        if all(f"{part}." in premise for part in hypothesis.rstrip(".").split(". ")):
            return ENTAILED
        if premise.replace(" no", "") == hypothesis.replace(" no", ""):
            return CONTRADICTED
        return NEUTRAL
