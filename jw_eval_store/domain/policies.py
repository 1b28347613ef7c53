"""policy.yaml: what the gate asks of a run, and what coverage asks of the registry."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from jw_eval_store.domain.evidence import Origin
from jw_eval_store.domain.languages import bcp47
from jw_eval_store.domain.values import IsoDate, NonBlank, TextList, Value
from jw_eval_store.domain.vocabulary import Layer


class LayerGate(Value):
    """One layer's bar: share of passes among all its results, errors included in the denominator.

    A layer that does not block is reported only. `min_decided` is the share that must be decided.
    """

    min_pass: float = Field(1.0, ge=0, le=1)
    blocking: bool = True
    min_decided: float | None = Field(None, ge=0, le=1)


def _specified_gate() -> dict[Layer, LayerGate]:
    return {
        "l1": LayerGate(min_pass=1.0),
        "l2": LayerGate(min_pass=0.98),
        "l3": LayerGate(min_pass=0.0, blocking=False),
    }


def _tags(languages: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(bcp47, languages)))


Languages = Annotated[TextList, AfterValidator(_tags)]
"""Languages as cases or people spell them (`E`, `en`), as BCP 47."""


class AgentCoverage(Value):
    """Cases an agent must have: per layer, and of these in each of the languages listed."""

    l1: int = Field(0, ge=0)
    l2: int = Field(0, ge=0)
    l3: int = Field(0, ge=0)
    languages: Languages = ()
    topics: TextList = ()
    required: TextList = ()


class Freshness(Value):
    """Greatest age in days of evidence and recordings that coverage counts."""

    evidence_days: int | None = Field(None, ge=1)
    recording_days: int | None = Field(None, ge=1)


class AcceptedFailure(Value):
    """A known failure that `no-regression` overlooks until a date, for a reason."""

    case: NonBlank
    reason: NonBlank
    until: IsoDate


class Policy(Value):
    """The whole policy. `new_cases`: how many an agent's new feature must bring."""

    gate: dict[Layer, LayerGate] = Field(default_factory=_specified_gate)
    origins: tuple[Origin, ...] = ("captured", "imported")
    coverage: dict[str, AgentCoverage] = Field(default_factory=dict)
    new_cases: int = Field(3, ge=0)
    freshness: Freshness = Field(default_factory=Freshness)
    accepted: tuple[AcceptedFailure, ...] = ()

    def gate_of(self, layer: Layer) -> LayerGate:
        """The layer's bar, the specification's where the policy names none."""
        return self.gate.get(layer) or _specified_gate()[layer]

    def demands(self, layer: Layer) -> bool:
        """Whether the layer alone can keep a run from passing."""
        gate = self.gate_of(layer)
        return gate.blocking or gate.min_decided is not None
