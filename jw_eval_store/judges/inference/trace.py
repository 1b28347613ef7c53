"""What a step keeps of a sheet: sentences once, and probabilities by their numbers."""

from __future__ import annotations

from pydantic import JsonValue

from jw_eval_store.judges.inference.sheet import Held, Sheet

SHORT = 40
"""Up to so many pairs all are kept."""

NOTABLE = 0.2
"""Of a long answer, pairs with such a contradiction are kept, beside the best ones."""


def trace(sheet: Sheet) -> dict[str, JsonValue]:
    """`golden` and `candidate` sentences; `pairs` by their numbers from 0.

    A pair is [golden sentence, first and last candidate sentence, entailed, neutral, contradicted];
    golden sentence -1 is the whole golden answer. `asked` counts all pairs, `skipped` those beside
    the needed ones that were over the model's window.
    """
    shown = sheet.held if len(sheet.held) <= SHORT else _notable(sheet)
    return {
        "golden": list(sheet.golden),
        "candidate": list(sheet.candidate),
        "asked": len(sheet.held),
        "skipped": sheet.skipped,
        "pairs": [[one.golden, one.window[0], one.window[-1], *one.inference] for one in shown],
    }


def _notable(sheet: Sheet) -> list[Held]:
    """In the order in which they were asked."""
    best = {id(one) for one in (*sheet.grounds, *sheet.echoes, sheet.worst)}
    return [
        one
        for one in sheet.held
        if id(one) in best or (one.inference.contradiction >= NOTABLE and len(one.window) == 1)
    ]
