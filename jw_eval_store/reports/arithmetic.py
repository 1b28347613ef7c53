"""How an L3 verdict follows from the answers that a judge gave, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jw_eval_store.reports.wording import one_line
from jw_eval_store.text.plurals import plural

if TYPE_CHECKING:
    from jw_eval_store.domain.evaluations import JudgeStep
    from jw_eval_store.domain.histories import Explanation


def arithmetic(explanation: Explanation) -> list[str]:
    """From the answers to the score, from the score to the verdict, and what it cost."""
    details, steps = explanation.result.details, explanation.steps
    asked = [step for step in steps if step.model and step.kind not in ("embedding", "nli")]
    return [
        *_by_strategy(details, steps),
        *_decision(details.get("judge")),
        *_soft(details),
        *_repeats(details.get("repeats")),
        *_doubts(details, asked),
        *_cost(asked),
    ]


def _by_strategy(details: Mapping[str, Any], steps: Sequence[JudgeStep]) -> Iterator[str]:
    if path := details.get("path"):
        yield f"graph {details.get('graph')}: {' -> '.join(path)}"
    for step in steps:
        if step.kind == "g_eval" and step.score is not None:
            yield _scaled(step)
    if "recall" in details:
        yield from _claims(details, steps)


def _scaled(step: JudgeStep) -> str:
    """(number - low) / (high - low), where the number is weighted by log-probabilities, or raw."""
    known: Mapping[str, Any] = step.details
    low, high = known.get("range", (0, 10))
    weighted = known.get("weighted")
    number = step.answer if weighted is None else f"{weighted:.3f}"
    how = "as given" if weighted is None else f"weighted by log-probabilities; given: {step.answer}"
    return f"{step.node}: ({number} - {low}) / ({high} - {low}) = {step.score:.4f}  ({how})"


def _claims(details: Mapping[str, Any], steps: Sequence[JudgeStep]) -> Iterator[str]:
    given: dict[str, str] = {}
    for step in steps:
        verdicts = step.details.get("verdicts")
        if step.node in ("recall", "recall.again") and isinstance(verdicts, dict):
            given |= {number: str(verdict) for number, verdict in verdicts.items()}
    yes = sum(verdict == "yes" for verdict in given.values())
    yield f"recall: {yes} yes / {plural(len(given), 'claim')} = {details['recall']:.4f}"
    if details.get("precision") is not None:
        yield f"precision {details['precision']:.4f} (informs, decides nothing)"


def _decision(judge: Mapping[str, Any] | None) -> Iterator[str]:
    if not judge or judge.get("score") is None:
        return
    score, pass_at = judge["score"], judge.get("pass_at")
    if pass_at is None:
        yield f"{judge['strategy']}: the judge's own verdict, score {score:.4f}"
    else:
        sign, word = (">=", "pass") if score >= pass_at else ("<", "fail")
        yield f"{judge['strategy']}: {score:.4f} {sign} pass_at {pass_at}: {word}"


def _soft(details: Mapping[str, Any]) -> Iterator[str]:
    soft = (details.get("judge") or {}).get("soft_score")
    if soft is not None:
        walked = details.get("soft") or {}
        yield (
            f"soft score {soft:.4f} (informs; {walked.get('covered', 1.0):.0%} of the ways walked,"
            f" {walked.get('questions', 0)} more questions)"
        )


def _repeats(repeats: Mapping[str, Any] | None) -> Iterator[str]:
    if repeats:
        divided = ", ".join(f"{count} {verdict}" for verdict, count in repeats["verdicts"].items())
        yield f"repeats: {divided}; more than half decide"
        flips = repeats.get("node_flips", {})
        yield from (f"  {node} flipped in {rate:.0%} of them" for node, rate in flips.items())


def _doubts(details: Mapping[str, Any], asked: Sequence[JudgeStep]) -> Iterator[str]:
    doubts, flags = details.get("doubts", ()), details.get("flags", ())
    if not doubts or asked:
        return
    others = [doubt for doubt in doubts if not doubt.startswith(tuple(f["kind"] for f in flags))]
    shown = ([f"{plural(len(flags), 'difference')} (see above)"] if flags else []) + others
    yield f"not passed without a judge: {one_line('; '.join(shown))}"


def _cost(asked: Sequence[JudgeStep]) -> Iterator[str]:
    if not asked:
        return
    cached = sum(step.cached for step in asked)
    read, written = (sum(getattr(s, f"{kind}_tokens") or 0 for s in asked if not s.cached)
                     for kind in ("prompt", "reply"))  # fmt: skip
    known = f" ({cached} from the cache)" if cached else ""
    yield (
        f"{plural(len(asked), 'answer')} of {asked[0].model}{known}: {read} + {written} tokens, "
        f"{sum(step.duration_ms for step in asked)} ms"
    )
