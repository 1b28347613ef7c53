"""Compare two runs case by case, and say why they differ: a pure function of two reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from jw_eval_store.domain.reports import CaseDifference, CaseReport, Change, Comparison

CAUSES = {
    "case": "case edited",
    "evidence": "evidence changed",
    "recording": "recording changed",
    "agent": "agent changed",
    "layer": "layer changed",
    "embedder": "embedder changed",
    "judge": "judge changed",
    "settings": "settings changed",
}
"""Input of an evaluation -> what its change is called. The order is that in which it is said."""

NOTHING = "nothing changed (unstable)"


def compare(
    baseline: str,
    before: Iterable[CaseReport],
    candidate: str,
    after: Iterable[CaseReport],
) -> Comparison:
    """The differences between two lists of results, by case id.

    Cases whose verdict and inputs are equal are counted as same. Raises nothing: a case on one
    side only is new or removed.
    """
    old = {result.case_id: result for result in before}
    new = {result.case_id: result for result in after}
    pairs = [(old.get(key), new.get(key)) for key in sorted(old.keys() | new.keys())]
    differences = [d for d in (_difference(b, a) for b, a in pairs) if d is not None]
    notes = _notes(old, new)
    return Comparison(
        baseline=baseline,
        candidate=candidate,
        differences=tuple(d for d in differences if d.change != "same"),
        same=len(pairs) - sum(d.change != "same" for d in differences),
        comparable=not notes,
        notes=notes,
    )


def _difference(before: CaseReport | None, after: CaseReport | None) -> CaseDifference | None:
    known = after or before
    if known is None:
        return None
    changed = _changed(before, after)
    return CaseDifference(
        case_id=known.case_id,
        agent=known.agent,
        layer=known.layer,
        change=_change(before, after, changed),
        before=before.verdict if before else None,
        after=after.verdict if after else None,
        cause=_cause(before, after, changed),
        inputs=tuple(changed),
    )


def _change(before: CaseReport | None, after: CaseReport | None, changed: Sequence[str]) -> Change:
    if before is None:
        return "new"
    if after is None:
        return "removed"
    if before.verdict == after.verdict:
        return "changed" if before.score != after.score and changed else "same"
    if before.verdict == "pass":
        return "regression" if after.verdict == "fail" else "undecided"
    return "fix" if after.verdict == "pass" else "changed"


def _changed(before: CaseReport | None, after: CaseReport | None) -> list[str]:
    if before is None or after is None:
        return []
    return [key for key in CAUSES if before.inputs.get(key) != after.inputs.get(key)]


def _cause(before: CaseReport | None, after: CaseReport | None, changed: Sequence[str]) -> str:
    if before is None:
        return "not in the baseline"
    if after is None:
        return "not in this run"
    return ", ".join(CAUSES[key] for key in changed) or NOTHING


def _notes(old: Mapping[str, CaseReport], new: Mapping[str, CaseReport]) -> tuple[str, ...]:
    """What keeps the two runs as wholes from being compared: the ruler, or what is measured."""
    notes = []
    for key in ("judge", "embedder"):
        both = [(old[c], new[c]) for c in old.keys() & new.keys()]
        moved = sum(b.inputs.get(key) != a.inputs.get(key) for b, a in both)
        if moved:
            notes.append(f"the {key} changed for {moved} case(s): their difference is the ruler's")
    edited = sum(
        old[c].inputs.get("case") != new[c].inputs.get("case") for c in old.keys() & new.keys()
    )
    if edited:
        notes.append(f"{edited} case(s) were edited in between")
    if old.keys() != new.keys():
        added, removed = len(new.keys() - old.keys()), len(old.keys() - new.keys())
        notes.append(f"the case set changed: {added} added, {removed} removed")
    return tuple(notes)
