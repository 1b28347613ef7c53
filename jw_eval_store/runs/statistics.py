"""Is a difference between two runs more than chance? Closed formulas, for few cases too.

Only comparable pairs are counted: the same case, with the same content, judged by the same judge
and embedder, and decided (pass or fail) in both runs. All else measures the ruler.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from jw_eval_store.domain.comparisons import Compared
from jw_eval_store.judges.statistics import wilson
from jw_eval_store.text.plurals import plural

Pair = tuple[Compared, Compared]

LEVEL = 0.05
"""Chance below which a difference is called one."""
RULER = ("case", "judge", "embedder")
RESAMPLES = 2_000


@dataclass(frozen=True)
class McNemar:
    """Changed verdicts of comparable pairs, with the two-sided chance of such a split."""

    worse: int
    better: int

    @property
    def changed(self) -> int:
        """Pairs whose verdict changed."""
        return self.worse + self.better

    @property
    def exact(self) -> float:
        """Exact conditional p (McNemar 1947): 5 to 0 gives 0.0625."""
        if self.worse == self.better:
            return 1.0
        tail = sum(comb(self.changed, k) for k in range(min(self.worse, self.better) + 1))
        return min(1.0, float(2 * tail / 2**self.changed))

    @property
    def mid_p(self) -> float:
        """Mid-p (Fagerland, Lydersen and Laake 2013): less timid than the exact one, and safe."""
        point = float(comb(self.changed, self.worse) / 2**self.changed)
        return 1 - point / 2 if self.worse == self.better else self.exact - point


def is_comparable(before: Compared, after: Compared) -> bool:
    """Whether both were measured on the same, with the same, and decided."""
    decided = {before.verdict, after.verdict} <= {"pass", "fail"}
    return decided and all(before.inputs.get(key) == after.inputs.get(key) for key in RULER)


def compared_statistics(pairs: Sequence[Pair]) -> tuple[dict[str, Any], str]:
    """Figures as JSON by name, and what they allow to say, in words."""
    comparable = [pair for pair in pairs if is_comparable(*pair)]
    found: dict[str, Any] = {"comparable": len(comparable), "other": len(pairs) - len(comparable)}
    if not comparable:
        return found, "not comparable: no case has the same content and judge in both runs"
    test = _mcnemar(comparable)
    found |= {
        "pass_rate_before": _rate(sum(b.verdict == "pass" for b, _ in comparable), comparable),
        "pass_rate_after": _rate(sum(a.verdict == "pass" for _, a in comparable), comparable),
        "mcnemar": {"worse": test.worse, "better": test.better, "p_exact": test.exact,
                    "p_mid": test.mid_p},
    }  # fmt: skip
    scores = score_difference(comparable)
    if scores:
        found["score_difference"] = scores
    return found, conclusion(test, len(comparable), scores)


def _mcnemar(pairs: Sequence[Pair]) -> McNemar:
    worse = sum(b.verdict == "pass" and a.verdict == "fail" for b, a in pairs)
    better = sum(b.verdict == "fail" and a.verdict == "pass" for b, a in pairs)
    return McNemar(worse, better)


def _rate(hits: int, pairs: Sequence[Pair]) -> dict[str, Any]:
    low, high = wilson(hits, len(pairs))
    return {"passed": hits, "of": len(pairs), "low": low, "high": high}


def score_difference(pairs: Sequence[Pair], seed: int = 0) -> dict[str, Any] | None:
    """Mean change of the scores with a 95 % interval by paired bootstrap; none without scores."""
    changes = [a.score - b.score for b, a in pairs if a.score is not None and b.score is not None]
    if not changes:
        return None
    mean = sum(changes) / len(changes)
    low, high = _bootstrap(changes, seed) if any(changes) else (0.0, 0.0)
    return {"pairs": len(changes), "mean": mean, "low": low, "high": high}


def _bootstrap(changes: Sequence[float], seed: int) -> tuple[float, float]:
    """Percentiles 2.5 and 97.5 of the means of resampled changes (Efron 1979)."""
    import numpy as np

    values, random = np.asarray(changes), np.random.default_rng(seed)
    means = [random.choice(values, size=len(values)).mean() for _ in range(RESAMPLES)]
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def conclusion(test: McNemar, pairs: int, scores: dict[str, Any] | None = None) -> str:
    """One sentence; it says so where the cases are too few to tell."""
    counts = f"{test.worse} worse, {test.better} better of {plural(pairs, 'comparable case')}"
    if not test.changed:
        verdicts = f"no verdict changed among {plural(pairs, 'comparable case')}"
    elif test.mid_p < LEVEL:
        way = "worse" if test.worse > test.better else "better"
        verdicts = f"{way}, and hardly by chance: {counts} (mid-p McNemar p = {test.mid_p:.2g})"
    else:
        verdicts = f"can't tell from chance: {counts} (mid-p McNemar p = {test.mid_p:.2g})"
        if McNemar(test.changed, 0).mid_p >= LEVEL:
            few = "is" if test.changed == 1 else "are"
            changed = plural(test.changed, "changed case")
            verdicts += f"; {changed} {few} too few to tell, whichever way"
    return verdicts + _score_words(scores)


def _score_words(scores: dict[str, Any] | None) -> str:
    if not scores or not (scores["mean"] or scores["low"] or scores["high"]):
        return ""
    told = "" if scores["low"] > 0 or scores["high"] < 0 else ", which may be none"
    interval = f"{scores['low']:+.3f} to {scores['high']:+.3f}"
    return f"; mean score {scores['mean']:+.3f} (95 % {interval}{told})"
