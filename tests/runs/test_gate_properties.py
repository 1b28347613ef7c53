"""Whatever the counts and the policy: the gate equals a calculation by hand, and is never green on
an error or below a bar."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.domain.cases import LAYERS, Layer
from jw_eval_store.domain.evaluations import Verdict
from jw_eval_store.domain.policies import LayerGate, Policy
from jw_eval_store.runs.gate import EXIT_CODES, judge_run

Counted = dict[Layer, Counter[Verdict]]

VERDICTS: tuple[Verdict, ...] = ("pass", "fail", "error", "skip")
SHARES = st.integers(0, 100).map(lambda percent: percent / 100)
GATES = st.builds(
    LayerGate, min_pass=SHARES, blocking=st.booleans(), min_decided=st.none() | SHARES
)
POLICIES = st.dictionaries(st.sampled_from(LAYERS), GATES).map(lambda gate: Policy(gate=gate))
COUNTS = st.dictionaries(
    st.sampled_from(LAYERS),
    st.tuples(*[st.integers(0, 60)] * 4).map(
        lambda four: Counter(dict(zip(VERDICTS, four, strict=True)))
    ),
)


def exact(share: float) -> Fraction:
    """A share as it was written, in hundredths."""
    return Fraction(round(share * 100), 100)


def may_pass(counts: Counter[Verdict], gate: LayerGate) -> bool:
    """By hand, in fractions."""
    total = counts.total()
    decided = Fraction(counts["pass"] + counts["fail"], total)
    enough = gate.min_decided is None or decided >= exact(gate.min_decided)
    passed = Fraction(counts["pass"], total) >= exact(gate.min_pass)
    undecided = counts["error"] + counts["skip"]
    return enough and (not gate.blocking or (passed and not undecided))


@given(COUNTS, POLICIES)
def test_the_gate_passes_just_where_a_calculation_by_hand_does(
    counts: Counted, policy: Policy
) -> None:
    judged = {layer: found for layer, found in counts.items() if found.total()}
    by_hand = bool(judged) and all(
        may_pass(found, policy.gate_of(layer)) for layer, found in judged.items()
    )
    outcome = judge_run(counts, policy)
    assert (outcome.exit_code == 0) == by_hand
    assert EXIT_CODES[outcome.verdict] == outcome.exit_code
    assert [layer.ok for layer in outcome.layers] == [
        may_pass(judged[layer], policy.gate_of(layer)) for layer in LAYERS if layer in judged
    ]


@given(COUNTS, POLICIES, st.integers(0, 3), st.booleans())
def test_bad_files_and_interruptions_are_never_green(
    counts: Counted, policy: Policy, invalid: int, interrupted: bool
) -> None:
    outcome = judge_run(counts, policy, invalid_files=invalid, interrupted=interrupted)
    if invalid or interrupted:
        assert outcome.exit_code == (130 if interrupted else 2)
    assert bool(outcome.reasons) == (outcome.exit_code != 0)
