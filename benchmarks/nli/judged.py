"""The stages together with a real local judge, on a sample: who decides what is left open."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack

from benchmarks.l3.groups import sample
from benchmarks.l3.model import served_model
from benchmarks.nli.kinds import title
from benchmarks.nli.rows import Decision, Said, heading, line
from benchmarks.nli.stages import BOTH, COSINE, GUARD, VETO, Stage
from jw_eval_store.domain.judging import JudgeSpec
from jw_eval_store.domain.settings import JudgeSettings
from jw_eval_store.judges.factory import make_asker, make_client, make_judge
from jw_eval_store.judges.judge import Judge
from jw_eval_store.judges.judgement import Judgement
from jw_eval_store.judges.pairs import LabelledPair


def print_judged(
    pairs: Sequence[LabelledPair],
    stages: Mapping[str, Stage],
    each: int,
) -> None:
    """What a stage leaves open goes to the judge; the model also holds up the judge's passes."""
    chosen = sample(pairs, each, lambda pair: (title(pair), pair.is_true))
    with ExitStack() as stack:
        served = stack.enter_context(served_model())
        settings = JudgeSettings(llm="openai", url=f"{served.url}/v1", timeout=600)
        asker = make_asker(stack.enter_context(make_client(settings, {})), settings)
        judge = make_judge(JudgeSpec(), asker, settings)
        verdicts = {pair: _asked(judge, pair) for pair in chosen}
    print(heading(f"with a judge ({served.weights.stem}), {len(chosen)} pairs of all sets"))
    print(line("judge alone", [Said(pair, verdicts[pair]) for pair in chosen]))
    for name in (COSINE, GUARD, BOTH):
        decided = [stages[name](pair).decision for pair in chosen]
        after = [
            Said(pair, verdicts[pair] if one == "undecided" else one)
            for pair, one in zip(chosen, decided, strict=True)
        ]
        print(line(f"{name}, then judge", after))
    held = [
        Said(pair, _vetoed(stages[BOTH](pair).decision, verdicts[pair], stages[VETO], pair))
        for pair in chosen
    ]
    print(line(f"{BOTH}, then judge, with veto", held))


def _asked(judge: Judge, pair: LabelledPair) -> Decision:
    judgement = Judgement("pair", pair.language, pair.reference, pair.text, findings=1)
    decision: Decision = judge(judgement).verdict or "undecided"
    print(f"{pair.label}: {decision}", file=sys.stderr)
    return decision


def _vetoed(before: Decision, judged: Decision, veto: Stage, pair: LabelledPair) -> Decision:
    if before != "undecided":
        return before
    return veto(pair).decision if judged == "pass" else judged
