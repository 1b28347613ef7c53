"""The stages side by side: cosine, guard, contradiction model, and L3 with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from benchmarks.nli.rows import Decision, Said
from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.inference import InferenceThresholds
from jw_eval_store.domain.outputs import AgentOutput, Finding
from jw_eval_store.judges.inference.interface import Inference, InferenceModel
from jw_eval_store.judges.inference.reader import EntailmentReader
from jw_eval_store.judges.inference.sheet import hold_together
from jw_eval_store.judges.pairs import LabelledPair
from jw_eval_store.layers.semantic import evaluate
from jw_eval_store.layers.semantic_tools import SemanticTools

Stage = Callable[[LabelledPair], Said]
COSINE, GUARD = "cosine 0.78 / 0.55", "guard alone (near-literal)"
MODEL, BOTH = "contradiction model alone", "guard and model (L3 without a judge)"
VETO = "guard and model, then a judge that passes everything"


class Remembering(InferenceModel):
    """The same model; a pair of sentences is read once."""

    def __init__(self, model: InferenceModel) -> None:
        self.label, self.revision, self._model = model.label, model.revision, model
        self._known: dict[tuple[str, str], Inference] = {}
        self._of_kind: dict[str, Remembering] = {}

    def of_kind(self, kind: str) -> InferenceModel:
        """Remembering as well."""
        found = self._of_kind.get(kind)
        if found is None:
            found = self._of_kind[kind] = Remembering(self._model.of_kind(kind))
        return found

    def infer(self, pairs: Sequence[tuple[str, str]]) -> list[Inference]:
        """From memory where it can."""
        for pair in pairs:
            if pair not in self._known:
                self._known[pair] = self._model.infer([pair])[0]
        return [self._known[pair] for pair in pairs]


def stages(
    tools: SemanticTools, model: InferenceModel, entries: Sequence[InferenceThresholds]
) -> dict[str, Stage]:
    """Each stage by name; the model under the thresholds of the pair's kind and language."""
    comparer = tools.comparer
    assert comparer is not None

    def reader(pair: LabelledPair) -> EntailmentReader:
        return EntailmentReader(model, entries, kind=pair.kind)

    def cosine(pair: LabelledPair) -> Said:
        near = comparer.compare(pair.reference, pair.text).cosine
        decision: Decision = "pass" if near >= 0.78 else "fail" if near < 0.55 else "undecided"
        return Said(pair, decision, near, near >= 0.78)

    def alone(pair: LabelledPair) -> Said:
        sheet = hold_together(model.of_kind(pair.kind), pair.reference, pair.text)
        verdict = reader(pair).read(pair.reference, pair.text, pair.language).verdict
        return Said(
            pair, verdict or "undecided", sheet.score, sheet.score >= 0.5, sheet.contradiction
        )

    def both(pair: LabelledPair) -> Said:
        return Said(pair, layer(pair, replace(tools, entailment=reader(pair))))

    def vetoed(pair: LabelledPair) -> Said:
        decision = both(pair).decision
        if decision == "undecided":
            reading = reader(pair).read(pair.reference, pair.text, pair.language)
            decision = "pass" if reading.leans_pass else "undecided"
        return Said(pair, decision)

    return {
        COSINE: cosine,
        GUARD: lambda pair: Said(pair, layer(pair, tools)),
        MODEL: alone,
        BOTH: both,
        VETO: vetoed,
    }


def layer(pair: LabelledPair, tools: SemanticTools) -> Decision:
    """What L3 decides of a pair as a case."""
    case = SemanticCase.model_validate(
        {
            "id": "pair",
            "agent": "none",
            "input": {"language": pair.language.split("-")[0]},
            "expected": {"golden_answer": pair.reference},
        }
    )
    result = evaluate(case, AgentOutput(findings=(Finding(text=pair.text),)), tools)
    if result.verdict == "pass":
        return "pass"
    return "fail" if result.verdict == "fail" else "undecided"
