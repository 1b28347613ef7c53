"""What a cross-encoder said of each pair of sentences, as it stands in its step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jw_eval_store.reports.render import plain_table
from jw_eval_store.reports.wording import clean

if TYPE_CHECKING:
    from rich.console import RenderableType

    from jw_eval_store.domain.evaluations import JudgeStep

_WHOLE = "(the whole golden answer)"


def inference_parts(steps: Sequence[JudgeStep]) -> Iterator[RenderableType]:
    """The three numbers and their limits, then the pairs; nothing where none was asked."""
    from rich.padding import Padding
    from rich.text import Text

    for step in steps:
        if step.kind != "nli" or "pairs" not in step.details:
            continue
        known: Mapping[str, Any] = step.details
        yield Text.assemble(("\nentailment", "bold"), f"  {step.model}: {_numbers(known)}")
        yield Text(f"  {_limits(known)}", "dim")
        yield Padding(_table(known), (0, 0, 0, 2))
        yield Text(f"  {_asked(known)}", "dim")


def _numbers(known: Mapping[str, Any]) -> str:
    names = ("support", "coverage", "contradiction")
    return ", ".join(f"{name} {known[name]:.4f}" for name in names)


def _limits(known: Mapping[str, Any]) -> str:
    passes, fails = known["pass_at"], known["fail_at"]
    return (
        f"{'passes nothing alone' if passes is None else f'may pass from {passes:g}'},"
        f" {'fails nothing alone' if fails is None else f'fails from contradiction {fails:g}'}"
        f" ({known['thresholds']})"
    )


def _table(known: Mapping[str, Any]) -> Any:
    from rich.text import Text

    columns = [">entailed", ">neutral", ">contradicted", "golden sentence", "in the answer"]
    table = plain_table(columns)
    for golden, first, last, *probabilities in known["pairs"]:
        wanted = _WHOLE if golden < 0 else known["golden"][golden]
        said = " ".join(known["candidate"][first : last + 1])
        shown = (f"{probability:.4f}" for probability in probabilities)
        table.add_row(*shown, Text(clean(wanted)), Text(clean(said)))
    return table


def _asked(known: Mapping[str, Any]) -> str:
    asked, shown = known["asked"], len(known["pairs"])
    parts = [f"{asked} pairs asked"]
    if shown < asked:
        parts.append(f"shown: the {shown} best ones and possible contradictions")
    if known["skipped"]:
        parts.append(f"{known['skipped']} longer ones left out, over the model's window")
    return "; ".join(parts)
