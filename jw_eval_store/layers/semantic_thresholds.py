"""Which cosines count for a case: its own under the embedder it names, else the profile's."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from pydantic import JsonValue

from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.matching import TopicMatch
from jw_eval_store.layers.semantic_tools import SemanticTools

DEFAULT_MARGIN = 0.05


@dataclass(frozen=True)
class Thresholds:
    """`reject` none: cosine fails nothing. `pass_at` none: nothing passes without a judge."""

    reject: float | None
    pass_at: float | None
    margin: float
    source: str
    notes: tuple[str, ...] = ()

    def rejects(self, topic: TopicMatch) -> bool:
        """Whether both the sentences and the whole texts are off the topic."""
        return self.reject is not None and max(topic.score, topic.cosine) < self.reject

    def as_json(self) -> dict[str, JsonValue]:
        """For reports, without the notes."""
        return {name: value for name, value in asdict(self).items() if name != "notes"}


def thresholds_for(case: SemanticCase, tools: SemanticTools) -> Thresholds:
    """The thresholds in force, and a note where they are not the case's own.

    Passing without a judge needs a calibrated profile, whoever set the threshold.
    """
    spec, profile = case.judge, tools.profile
    in_use = tools.comparer.identity if tools.comparer else None
    if profile is not None and in_use != profile.embedder:
        profile = None
    margin = profile.margin if profile else DEFAULT_MARGIN
    if in_use is not None and in_use.answers_to(spec.embedder):
        pass_at = spec.threshold_pass if profile else None
        return Thresholds(spec.threshold_review_min, pass_at, margin, "case")
    own = spec.model_fields_set & {"threshold_pass", "threshold_review_min"}
    label = in_use.label if in_use else "none"
    note = f"thresholds of the case are for {spec.embedder}; in use is {label}"
    notes = (note,) if own else ()
    if profile is None:
        return Thresholds(None, None, margin, "none", notes)
    return Thresholds(profile.reject, profile.pass_at, margin, "profile", notes)
