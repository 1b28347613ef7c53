"""Compare two runs case by case, and say why they differ: a pure function of their results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from jw_eval_store.domain.comparisons import CaseDifference, Change, Compared, Comparison
from jw_eval_store.runs.statistics import compared_statistics
from jw_eval_store.text.plurals import plural

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

Describe = Callable[[str, str, str | None, str | None], tuple[str, ...]]
"""(case id, name of an input, its address before and after) -> what differs, a line each."""


def compare(
    baseline: str,
    before: Iterable[Compared],
    candidate: str,
    after: Iterable[Compared],
    describe: Describe = lambda case, name, old, new: (),
) -> Comparison:
    """The differences between two lists of results, by case id.

    Cases whose verdict and score are equal are counted as same. Raises nothing: a case on one side
    only is new or removed.
    """
    old = {result.case_id: result for result in before}
    new = {result.case_id: result for result in after}
    pairs = [(old.get(key), new.get(key)) for key in sorted(old.keys() | new.keys())]
    differences = [d for d in (_difference(b, a, describe) for b, a in pairs) if d is not None]
    both = [(b, a) for b, a in pairs if b is not None and a is not None]
    notes = _notes(old, new)
    statistics, conclusion = compared_statistics(both)
    return Comparison(
        baseline=baseline,
        candidate=candidate,
        differences=tuple(differences),
        same=len(pairs) - len(differences),
        comparable=not notes,
        notes=notes,
        statistics=statistics,
        conclusion=conclusion,
    )


def _difference(
    before: Compared | None, after: Compared | None, describe: Describe
) -> CaseDifference | None:
    known = after or before
    changed = _changed(before, after)
    change = _change(before, after, changed)
    if known is None or change == "same":
        return None
    sides = (before.inputs, after.inputs) if before and after else ({}, {})
    details = (describe(known.case_id, key, *(s.get(key) for s in sides)) for key in changed)
    return CaseDifference(
        case_id=known.case_id,
        agent=known.agent,
        layer=known.layer,
        change=change,
        before=before.verdict if before else None,
        after=after.verdict if after else None,
        cause=_cause(before, after, changed),
        inputs=tuple(changed),
        details=tuple(line for lines in details for line in lines),
    )


def _change(before: Compared | None, after: Compared | None, changed: Sequence[str]) -> Change:
    if before is None:
        return "new"
    if after is None:
        return "removed"
    if before.verdict == after.verdict:
        return "changed" if before.score != after.score and changed else "same"
    if not changed and {before.verdict, after.verdict} == {"pass", "fail"}:
        return "unstable"
    if before.verdict == "pass":
        return "regression" if after.verdict == "fail" else "undecided"
    return "fix" if after.verdict == "pass" else "changed"


def _changed(before: Compared | None, after: Compared | None) -> list[str]:
    """Names of the inputs that differ; an agent without a fingerprint may always have changed."""
    if before is None or after is None:
        return []
    if before.inputs is after.inputs:
        return []
    unknown = before.inputs.get("agent") == "unknown"
    return [
        key
        for key in CAUSES
        if before.inputs.get(key) != after.inputs.get(key) or (unknown and key == "agent")
    ]


def _cause(before: Compared | None, after: Compared | None, changed: Sequence[str]) -> str:
    if before is None:
        return "not in the baseline"
    if after is None:
        return "not in this run"
    unknown = "unknown" in (before.inputs.get("agent"), after.inputs.get("agent"))
    named = CAUSES | {"agent": "agent unknown"} if unknown else CAUSES
    return ", ".join(named[key] for key in changed) or NOTHING


def _notes(old: Mapping[str, Compared], new: Mapping[str, Compared]) -> tuple[str, ...]:
    """What keeps the two runs as wholes from being compared: the ruler, or what is measured."""
    notes = []
    for key in ("judge", "embedder"):
        both = [(old[c], new[c]) for c in old.keys() & new.keys()]
        moved = sum(b.inputs.get(key) != a.inputs.get(key) for b, a in both)
        if moved:
            notes.append(
                f"the {key} changed for {plural(moved, 'case')}: the difference is the ruler's"
            )
    edited = sum(
        old[c].inputs.get("case") != new[c].inputs.get("case") for c in old.keys() & new.keys()
    )
    if edited:
        notes.append(f"edited in between: {plural(edited, 'case')}")
    if old.keys() != new.keys():
        added, removed = len(new.keys() - old.keys()), len(old.keys() - new.keys())
        notes.append(f"the case set changed: {added} added, {removed} removed")
    return tuple(notes)
