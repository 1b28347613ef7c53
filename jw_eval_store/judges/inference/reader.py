"""The stage between guard and model: what a model for inference says of a whole answer.

Its probabilities differ between kinds of text and languages, so it decides only where thresholds
were calibrated for both; else it informs, and holds a judge's pass up to its own opinion.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any

from pydantic import JsonValue

from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.domain.evaluations import JudgeStep, ReasonCode
from jw_eval_store.domain.hashing import json_hash
from jw_eval_store.domain.inference import DEFAULT_KIND, InferenceThresholds, base_language
from jw_eval_store.judges.inference.interface import InferenceModel
from jw_eval_store.judges.inference.scope import SCOPE_VERSION, excerpt, foreign, framed
from jw_eval_store.judges.inference.sheet import AGGREGATION, SENTENCES, WHOLE, Sheet, hold_together
from jw_eval_store.judges.inference.trace import trace
from jw_eval_store.judges.judgement import Decision

EVEN = 0.5
"""More likely than all else together."""

_KNOWN = 64
"""So many answers are remembered: repeats of a case tend to get the same one."""


@dataclass(frozen=True)
class Limits:
    """The probabilities from which on it decides; none: never. `source` says where from."""

    pass_at: float | None
    fail_at: float | None
    source: str


@dataclass(frozen=True)
class Reading:
    """An opinion. `verdict` is what it says alone, none where it may not decide.

    `leans_pass`: it does not speak against a judge's pass. `objects`: it sees a contradiction that
    makes even an answer in the golden answer's own words doubtful.
    """

    verdict: Decision | None
    score: float | None = None
    leans_pass: bool = False
    objects: bool = False
    reasons: tuple[str, ...] = ()
    reason_code: ReasonCode | None = None
    steps: tuple[JudgeStep, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


def thresholds_hash(entries: Iterable[InferenceThresholds]) -> str | None:
    """What verdicts depend on of the entries of one kind: the thresholds, not what found them."""
    used = {e.language: (e.pass_at, e.fail_at) for e in entries if e.pass_at or e.fail_at}
    return json_hash(used) if used else None


class EntailmentReader:
    """Reads whole answers with one model, under the thresholds for one kind of text."""

    def __init__(
        self,
        model: InferenceModel,
        entries: Iterable[InferenceThresholds] = (),
        *,
        kind: str = DEFAULT_KIND,
        pass_at: float | None = None,
        fail_at: float | None = None,
    ) -> None:
        """`entries` are calibrated; `pass_at` and `fail_at` stand in for them where given."""
        self.model, self._kind = model.of_kind(kind), kind
        self._own = Limits(pass_at, fail_at, "settings")
        self._entries = {e.language: e for e in entries if e.kind == kind}
        self._hold = lru_cache(maxsize=_KNOWN)(partial(hold_together, self.model))

    @property
    def identity(self) -> dict[str, Any]:
        """All that its verdicts depend on beside the texts: thresholds, not what found them."""
        return {
            "model": self.model.label,
            "revision": self.model.revision,
            "runtime": self.model.runtime,
            "aggregation": AGGREGATION,
            "sentences": SENTENCES,
            "scope": SCOPE_VERSION,
            "kind": self._kind,
            "thresholds": thresholds_hash(self._entries.values()),
            "pass_at": self._own.pass_at,
            "fail_at": self._own.fail_at,
        }

    def limits(self, language: str) -> Limits:
        """What holds for a language."""
        own, spoken = self._own, base_language(language)
        entry = self._entries.get(spoken)
        if own.pass_at is None and own.fail_at is None:
            source = f"{'' if entry else 'not '}calibrated for {self._kind}, {spoken}"
        else:
            source = own.source
        found = (entry.pass_at, entry.fail_at) if entry else (None, None)
        return Limits(own.pass_at or found[0], own.fail_at or found[1], source)

    def read(self, golden: str, candidate: str, language: str) -> Reading:
        """Every sentence of the one is held against every sentence of the other."""
        started = time.perf_counter()
        try:
            sheet = self._hold(golden, candidate)
        except UsageError as fault:
            return Reading(
                None, reasons=(f"the cross-encoder: {fault.message}",), reason_code="judge_cut"
            )
        except InfrastructureError as fault:
            return no_reading(str(fault))
        known = self.limits(language)
        if not sheet.is_brief:
            known = replace(known, fail_at=None)
        limits, unfit = within_scope(sheet, known, language, self._kind)
        verdict = decide(sheet.score, sheet.contradiction, limits)
        numbers = _numbers(sheet, limits)
        step = JudgeStep(
            node="entailment",
            kind="nli",
            model=self.model.label,
            model_digest=self.model.revision,
            answer=verdict or "undecided",
            score=sheet.score,
            duration_ms=round((time.perf_counter() - started) * 1000),
            details={**numbers, **trace(sheet)},
        )
        return Reading(
            verdict,
            sheet.score,
            leans_pass=sheet.coverage >= EVEN and sheet.contradiction < EVEN,
            objects=sheet.contradiction >= (known.fail_at or EVEN),
            reasons=(*_reasons(sheet, limits), *unfit),
            steps=(step,),
            details={"entailment": numbers},
        )


def within_scope(
    sheet: Sheet, limits: Limits, language: str, kind: str
) -> tuple[Limits, tuple[str, ...]]:
    """The limits that hold for this answer, and why others don't.

    What is cut out of the golden answer passes by no score, what repeats it fails by none, and what
    is in another language is not decided.
    """
    spoken = base_language(language)
    if reason := foreign(sheet, spoken):
        return replace(limits, pass_at=None, fail_at=None), (reason,)
    unfit: list[str] = []
    if reason := excerpt(sheet, spoken, kind):
        limits = replace(limits, pass_at=None)
        unfit.append(reason)
    if sheet.contradiction >= EVEN and (reason := framed(sheet)):
        limits = replace(limits, fail_at=None)
        unfit.append(reason)
    return limits, tuple(unfit)


def decide(score: float, contradiction: float, limits: Limits) -> Decision | None:
    """Contradiction comes first: what is said right does not mend what is said wrong."""
    if limits.fail_at is not None and contradiction >= limits.fail_at:
        return "fail"
    if limits.pass_at is None or contradiction >= EVEN:
        return None
    return "pass" if score >= limits.pass_at else None


def _numbers(sheet: Sheet, limits: Limits) -> dict[str, JsonValue]:
    return {
        "support": sheet.support,
        "coverage": sheet.coverage,
        "contradiction": sheet.contradiction,
        "pass_at": limits.pass_at,
        "fail_at": limits.fail_at,
        "thresholds": limits.source,
    }


def _reasons(sheet: Sheet, limits: Limits) -> Iterable[str]:
    """A contradiction is said as a fact only where it decides."""
    known = [
        f"{word} from {value}"
        for word, value in (("passes", limits.pass_at), ("fails", limits.fail_at))
        if value is not None
    ]
    yield (
        f"cross-encoder: support {sheet.support:.2f}, coverage {sheet.coverage:.2f},"
        f" contradiction {sheet.contradiction:.2f} ({', '.join(known) or limits.source})"
    )
    if sheet.contradiction >= EVEN:
        worst = sheet.worst
        wanted = "the golden answer" if worst.golden == WHOLE else f"“{sheet.golden[worst.golden]}”"
        sure = limits.fail_at is not None and sheet.contradiction >= limits.fail_at
        says = "contradicts" if sure else "seems to contradict"
        yield f"“{sheet.said(worst)}” {says} {wanted}, says the cross-encoder"


class UnavailableReader:
    """Stands for a cross-encoder that is set and can't be had: nothing passes in its name."""

    def __init__(self, name: str, problem: str) -> None:
        self._name, self.problem = name, problem

    @property
    def identity(self) -> dict[str, Any]:
        """Another one than the model's own, so that verdicts are made anew once it is there."""
        return {"model": self._name, "unavailable": True}

    def read(self, golden: str, candidate: str, language: str) -> Reading:
        """No opinion, and why."""
        return no_reading(self.problem)


def no_reading(problem: str) -> Reading:
    """Of a cross-encoder that can't be had, or does not work: nothing passes in its name."""
    reason = f"no cross-encoder: {problem}"
    return Reading(None, reasons=(reason,), reason_code="judge_unreachable")
