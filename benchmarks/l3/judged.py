"""A real model as judge, strategy by strategy, on a small sample of the pairs."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from benchmarks.l3.figures import Decided, Decision, judged_figures, judged_heading
from benchmarks.l3.groups import group, is_long, sample
from benchmarks.l3.model import served_model
from benchmarks.l3.stages import COSINE, L3, Stage, timed
from jw_eval_store.domain.judging import JudgeSpec
from jw_eval_store.domain.settings import JudgeSettings
from jw_eval_store.judges.asking import Asker
from jw_eval_store.judges.factory import make_asker, make_client, make_judge
from jw_eval_store.judges.judge import Judge
from jw_eval_store.judges.judgement import Judgement
from jw_eval_store.judges.pairs import LabelledPair

SPECS: Mapping[str, Mapping[str, Any]] = {
    "verdict": {},
    "g_eval": {"pass_at": 0.7, "criteria": "The candidate says what the golden answer says."},
    "graph": {"pass_at": 0.6, "graph": "fidelity"},
    "claims": {"pass_at": 0.7},
}


def print_judged(
    pairs: Sequence[LabelledPair],
    stages: Mapping[str, Stage],
    strategies: Sequence[str],
    each: int,
    each_claims: int,
) -> None:
    """A table of each strategy alone, and of L3 with it.

    `each`: pairs per set, length and truth; `each_claims`: per length and truth, since a small
    model lists claims without end.
    """
    chosen = sample(pairs, each, lambda pair: (group(pair), pair.is_true))
    few = sample(chosen, each_claims, lambda pair: (is_long(pair), pair.is_true))
    print(f"\nJudged by a model: {len(chosen)} pairs, claims {len(few)}\n{judged_heading()}")
    before = {name: [timed(stages[name], pair) for pair in chosen] for name in (COSINE, L3)}
    for name, decided in before.items():
        print(judged_figures(name.removeprefix("+ near-literal ").strip("()"), decided))
    with ExitStack() as stack:
        served = stack.enter_context(served_model())
        settings = JudgeSettings(llm="openai", url=f"{served.url}/v1", timeout=600)
        client = stack.enter_context(make_client(settings, {}))
        asker = make_asker(client, settings)
        for strategy in strategies:
            spec = JudgeSpec.model_validate({"strategy": strategy, **SPECS[strategy]})
            judge = make_judge(spec, asker, settings)
            asked = few if strategy == "claims" else chosen
            alone = [_judged(judge, asker, pair) for pair in asked]
            print(judged_figures(f"{strategy} alone", alone))
            earlier = [found for found in before[L3] if found.pair in asked]
            print(judged_figures(f"L3, then {strategy}", _after(earlier, alone)), flush=True)


def _judged(judge: Judge, asker: Asker, pair: LabelledPair) -> Decided:
    """The model runs in this process, so its processor time is this process's."""
    started, calls = time.process_time(), asker.run_budget.spent_calls
    judgement = Judgement("pair", pair.language, pair.reference, pair.text, findings=1)
    decision: Decision = judge(judgement).verdict or "undecided"
    spent = time.process_time() - started
    print(f"{pair.label}: {decision}, {spent:.1f} s", file=sys.stderr)
    return Decided(pair, decision, spent, asker.run_budget.spent_calls - calls)


def _after(earlier: Sequence[Decided], judged: Sequence[Decided]) -> list[Decided]:
    """What the stages decide, and the judge's verdict on the rest."""
    verdicts = {found.pair: found for found in judged}
    return [
        found
        if found.decision != "undecided"
        else verdicts[found.pair]._replace(seconds=found.seconds + verdicts[found.pair].seconds)
        for found in earlier
    ]
