"""An L3 verdict taken apart: gates, sentence matches, entailment, the judge's walk, arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jw_eval_store.reports.arithmetic import arithmetic
from jw_eval_store.reports.inference_explanation import inference_parts
from jw_eval_store.reports.render import plain_table
from jw_eval_store.reports.wording import clean, one_line

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text
    from rich.tree import Tree

    from jw_eval_store.domain.evaluations import JudgeStep
    from jw_eval_store.domain.histories import Explanation

COMPARING = ("gate", "embedding", "guard", "literal", "nli")
"""Kinds of steps that stand before the judge's walk."""

SHOWN_DETAILS = frozenset(
    [
        "topic",
        "thresholds",
        "flags",
        "doubts",
        "entailment",
        "judge",
        "path",
        "graph",
        "soft",
        "recall",
        "precision",
        "repeats",
        "steps",
        "steps_hash",
        "reason",
        "score_mode",
        "weighted",
        "range",
    ]
)
"""Keys of a result's details that these parts put in words."""

_SHOWN_REPLY = 1000


def semantic_parts(explanation: Explanation) -> Iterator[RenderableType]:
    """All that led to the verdict, in the order in which it was found out."""
    details, steps = explanation.result.details, explanation.steps
    yield from _golden(explanation.golden_answer)
    yield from _gates(steps)
    yield from _comparison(details, steps)
    yield from inference_parts(steps)
    walked = [step for step in steps if step.kind not in COMPARING]
    if walked:
        yield from (
            _blank(),
            walk_tree(walked, details.get("path", ()), explanation.result.reasons),
        )
    yield from _arithmetic(explanation)


def _golden(golden: str) -> Iterator[RenderableType]:
    from rich.padding import Padding
    from rich.text import Text

    if golden:
        yield Text("\ngolden answer", "bold")
        yield Padding(Text(clean(golden).strip()), (0, 0, 0, 2))


def _gates(steps: Sequence[JudgeStep]) -> Iterator[RenderableType]:
    from rich.text import Text

    gates = [step for step in steps if step.kind == "gate"]
    if gates:
        yield Text("\ngates", "bold")
    for gate in gates:
        found = f"  ({one_line(gate.reply)})" if gate.reply else ""
        yield Text(f"  {gate.node}: {gate.answer}{found}")


def _comparison(details: Mapping[str, Any], steps: Sequence[JudgeStep]) -> Iterator[RenderableType]:
    from rich.text import Text

    topic = details.get("topic")
    if not topic:
        return
    yield Text.assemble(
        ("\ncomparison", "bold"), f"  topic {topic['score']:.4f}, whole texts {topic['cosine']:.4f}"
    )
    if limits := details.get("thresholds"):
        yield Text(f"  {_limits(limits)}", "dim")
    flags = details.get("flags", ())
    yield _matches(topic["matches"], flags)
    for flag in flags:
        if flag["kind"] == "counter_answer":
            yield Text(f"  counter answer: {one_line(flag['difference'])}")
    literal = next((step for step in steps if step.kind == "literal"), None)
    if literal is not None:
        yield Text(f"  in the golden answer's words: {literal.answer} ({one_line(literal.reply)})")


def _limits(limits: Mapping[str, Any]) -> str:
    if limits["reject"] is None:
        return "no calibrated profile: cosine decides nothing"
    passes = limits["pass_at"]
    without = "nothing passes without a judge" if passes is None else f"may pass from {passes}"
    return f"off the topic below {limits['reject']}, {without} (thresholds of: {limits['source']})"


def _matches(matches: Sequence[Mapping[str, Any]], flags: Sequence[Mapping[str, Any]]) -> Any:
    from rich.padding import Padding
    from rich.text import Text

    table = plain_table([">cosine", "golden sentence", "nearest in the answer", "differences"])
    for match in matches:
        found = "\n".join(
            f"{flag['kind']}: {flag['difference']}"
            for flag in flags
            if flag["golden"] == match["golden"] and flag["kind"] != "counter_answer"
        )
        texts = (match["golden"], match["candidate"], found or "-")
        table.add_row(f"{match['cosine']:.4f}", *(Text(clean(text)) for text in texts))
    return Padding(table, (0, 0, 0, 2))


def walk_tree(steps: Sequence[JudgeStep], path: Sequence[str], reasons: Sequence[str] = ()) -> Tree:
    """The nodes asked: those on the path one within the other, all others side by side.

    What stands in the result's `reasons` of a question without an answer is not said again.
    """
    from rich.text import Text
    from rich.tree import Tree

    root = Tree(Text("the judge's walk", "bold"), guide_style="dim")
    below = root
    for step in steps:
        soft = step.details.get("walk") == "soft"
        branch = (root if soft else below).add(_headline(step, soft=soft))
        for line in _lines(step, reasons):
            branch.add(line)
        if step.node in path and not soft:
            below = branch
    return root


def _headline(step: JudgeStep, *, soft: bool) -> Text:
    from rich.text import Text

    said = step.error or step.answer or ("" if step.score is None else f"{step.score:.3f}")
    facts = [*_certainty(step), *_cost(step), *(["soft walk only"] if soft else [])]
    extra = f"  ({', '.join(facts)})" if facts else ""
    style = "bold red" if step.error else "bold"
    shown = f" -> {one_line(said, 200)}" if step.kind != "task" or step.error else ""
    return Text.assemble(f"{step.node} [{step.kind}]", (shown, style), (extra, "dim"))


def _certainty(step: JudgeStep) -> Iterator[str]:
    if step.kind == "rule":
        return
    for name, value in (("probability", step.probability), ("margin", step.margin)):
        if value is not None:
            yield f"{name} {value:.2f}"


def _cost(step: JudgeStep) -> Iterator[str]:
    if step.model:
        yield "cached" if step.cached else f"{step.duration_ms} ms"
    if step.prompt_tokens is not None:
        yield f"{step.prompt_tokens} + {step.reply_tokens or 0} tokens"


def _lines(step: JudgeStep, reasons: Sequence[str]) -> Iterator[Text]:
    from rich.text import Text

    if step.question:
        yield Text(one_line(step.question))
    if step.kind == "task" and step.answer:
        yield Text(clean(step.answer))
    reason = step.details.get("reason") or step.details.get("problem")
    if isinstance(reason, str) and reason:
        said = step.error is not None and reason in reasons
        yield Text(f"because: {'see above' if said else one_line(reason)}", "dim")
    unread = not step.details.get("reason") and step.kind != "task"
    if step.reply and step.reply != step.answer and unread:
        yield Text(f"reply: {one_line(step.reply, _SHOWN_REPLY)}", "dim")
    for name in ("probabilities", "claims", "verdicts", "found", "missing", "asked_again"):
        if value := step.details.get(name):
            yield Text(f"{name.replace('_', ' ')}: {one_line(_plain(value))}", "dim")


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {part}" for key, part in value.items())
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


def _arithmetic(explanation: Explanation) -> Iterator[RenderableType]:
    from rich.padding import Padding
    from rich.text import Text

    lines = arithmetic(explanation)
    if lines:
        yield Text("\nhow the verdict came about", "bold")
        yield from (Padding(Text(line), (0, 0, 0, 2)) for line in lines)


def _blank() -> RenderableType:
    from rich.text import Text

    return Text()
