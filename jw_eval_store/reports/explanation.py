"""One verdict taken apart, for people: reasons, evidence, the judge's walk as a tree, the past."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from jw_eval_store.domain.histories import Explanation
from jw_eval_store.reports.history import moment
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.render import plain_table, rendered
from jw_eval_store.reports.wording import clean, one_line, place, reasons_of, shortened
from jw_eval_store.text.plurals import plural

if TYPE_CHECKING:
    from rich.console import RenderableType

SHOWN_FINDINGS = 10


def explanation_text(explanation: Explanation, page: Page | None = None) -> str:
    """Verdict and reasons first, then what went in, what was asked, what came out."""
    return rendered([*_parts(explanation)], page or Page())


def _parts(explanation: Explanation) -> Iterator[RenderableType]:
    from rich.padding import Padding
    from rich.text import Text

    result = explanation.result
    score = f" ({result.score:.3f})" if result.score is not None else ""
    about = f"{result.layer.upper()} {result.agent} {result.language}"
    yield Text.assemble(
        (f"{result.verdict.upper()}{score}  ", "bold"), result.case_id, (f"  {about}", "dim")
    )
    if result.verdict != "pass" or result.reasons:
        yield from (Padding(Text(reason), (0, 0, 0, 2)) for reason in reasons_of(result))
    yield from _known(explanation)
    yield from _settings(explanation.inputs.get("settings"))
    details = result.details
    if result.layer == "l3":
        from jw_eval_store.reports.semantic_explanation import SHOWN_DETAILS, semantic_parts

        yield from semantic_parts(explanation)
        details = {name: details[name] for name in details if name not in SHOWN_DETAILS}
    yield from _details(details)
    yield from _output(explanation)
    yield from _earlier(explanation)


def _known(explanation: Explanation) -> Iterator[RenderableType]:
    from rich.table import Table
    from rich.text import Text

    result = explanation.result
    known = {
        "file": place(result.path, result.line),
        "run": f"{explanation.run}{f' ({result.why})' if result.why else ''}",
        "agent": explanation.agent_origin,
        "embedder": explanation.embedder,
        "judge": explanation.judge,
    }
    known |= {
        "version of layer" if name == "layer" else f"hash of {name}": shortened(address)
        for name, address in explanation.inputs.items()
        if name != "settings"
    }
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(width=16)
    table.add_column(overflow="fold")
    for name, value in known.items():
        if value:
            table.add_row(name, Text(one_line(value)))
    yield Text()
    yield table


def _settings(text: str | None) -> Iterator[RenderableType]:
    """What the layer was set to, an entry a line; as it is stored where that is no JSON object."""
    import json

    from rich.padding import Padding
    from rich.text import Text

    if not text:
        return
    try:
        found = json.loads(text)
    except ValueError:
        found = text
    yield Text("settings")
    entries = found.items() if isinstance(found, dict) else [("stored", found)]
    for name, value in entries:
        line = f"{name}: {shortened(clean(_in_words(value)))}"
        yield Padding(Text(line), (0, 0, 0, 2))


def _in_words(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_in_words(part)}" for key, part in value.items())
    return ", ".join(map(_in_words, value)) if isinstance(value, list) else str(value)


def _details(details: Mapping[str, Any]) -> Iterator[RenderableType]:
    """What the layer kept of the case, such as matched passages: an entry a line."""
    import json

    from rich.text import Text

    for name, value in details.items():
        yield Text(f"\n{name}:")
        for entry in value if isinstance(value, list) else [value]:
            plain = entry if isinstance(entry, str) else json.dumps(entry, ensure_ascii=False)
            yield from (Text(f"  {clean(line)}") for line in plain.splitlines())


def _output(explanation: Explanation) -> Iterator[RenderableType]:
    import json

    from rich.text import Text

    yield Text(f"\nasked: {one_line(json.dumps(explanation.input, ensure_ascii=False))}")
    if explanation.output is None:
        yield Text("the agent gave no output")
        return
    findings = explanation.output.get("findings", ())
    yield Text(f"answered with {plural(len(findings), 'finding')}")
    yield from (_finding(n, finding) for n, finding in enumerate(findings[:SHOWN_FINDINGS], 1))
    if len(findings) > SHOWN_FINDINGS:
        yield Text(f"  … and {len(findings) - SHOWN_FINDINGS} more (--format json has all)")
    yield from (Text(f"  warning: {one_line(w)}") for w in explanation.output.get("warnings", ()))


def _finding(number: int, finding: Mapping[str, Any]) -> RenderableType:
    """The same source and text that layers see (`domain.outputs.Finding`)."""
    from rich.padding import Padding
    from rich.text import Text

    citation, metadata = finding.get("citation", {}), finding.get("metadata", {})
    sources = (metadata.get("source"), metadata.get("kind"), citation.get("kind"))
    source = next((s for s in sources if isinstance(s, str) and s), "no source")
    content = "\n".join(filter(None, (finding.get(k) for k in ("text", "summary", "excerpt"))))
    url = citation.get("url")
    told = Text.assemble(
        f"{number}. {source}: {one_line(content, 300)}",
        (f"\n   {one_line(url)}" if url else "", "dim"),
    )
    return Padding(told, (0, 0, 0, 2))


def _earlier(explanation: Explanation) -> Iterator[RenderableType]:
    from rich.text import Text

    if not explanation.earlier:
        return
    table = plain_table(
        ["!when", "verdict", ">score", "what changed since the one before", "!run"], ["score"]
    )
    for past in explanation.earlier:
        score = "-" if past.score is None else f"{past.score:.3f}"
        table.add_row(moment(past.started_at), past.verdict, score, past.cause, past.run)
    yield Text("\nearlier verdicts")
    yield table
