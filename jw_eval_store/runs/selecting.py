"""Turn a selection into cases; whatever matches nothing is an error, never an empty success."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jw_eval_store.domain.cases import Layer
from jw_eval_store.domain.errors import EmptySelectionError
from jw_eval_store.domain.selections import Selection
from jw_eval_store.store.cases import CaseRow, known_ids, known_values, select_cases
from jw_eval_store.store.connect import Connection
from jw_eval_store.text.nearest import did_you_mean


def selected(
    conn: Connection, selection: Selection, *, layers_asked: bool, bundled: bool | None
) -> list[CaseRow]:
    """The cases meant, by id.

    Raises EmptySelectionError where the whole, or any single agent, language, id, topic, or a
    layer that was asked for by name, matches no case.
    """
    _check_ids(conn, selection)
    rows = select_cases(conn, selection, bundled=bundled)
    if not rows:
        raise EmptySelectionError(_nothing(conn, selection), hint=_hint(bundled))
    _check_each("agent", selection.agents, {r.agent for r in rows}, known_values(conn, "agent"))
    _check_each(
        "language", selection.languages, {r.language for r in rows}, known_values(conn, "language")
    )
    topics = {r.topic for r in rows if r.topic}
    _check_each("topic", selection.topics, topics, known_values(conn, "topic"))
    _check_each("case", selection.case_ids, {r.case_id for r in rows}, known_ids(conn))
    if layers_asked:
        _check_layers(selection.layers, {r.layer for r in rows})
    return rows


def _check_ids(conn: Connection, selection: Selection) -> None:
    _check_each("case", selection.case_ids, known_ids(conn), known_ids(conn))


def _check_each(
    kind: str, wanted: Sequence[str], found: Iterable[str], known: Sequence[str]
) -> None:
    missing = [name for name in wanted if name not in set(found)]
    if missing:
        hint = did_you_mean(missing[0], known) or "jw-eval cases list"
        raise EmptySelectionError(f"no case selected for {kind} {missing[0]!r}", hint=hint)


def _check_layers(wanted: Sequence[Layer], found: set[Layer]) -> None:
    missing = [layer.upper() for layer in wanted if layer not in found]
    if missing:
        raise EmptySelectionError(
            f"the selection has no case at layer {', '.join(missing)}",
            hint="leave that layer out of --layer, or widen the selection",
        )


def _nothing(conn: Connection, selection: Selection) -> str:
    if not known_ids(conn):
        return "there is no golden case in the store, so nothing was judged"
    parts = selection.model_dump(mode="json", exclude_defaults=True)
    asked = "; ".join(f"{name}: {', '.join(values)}" for name, values in parts.items())
    layers = ", ".join(layer.upper() for layer in selection.layers)
    return f"no golden case matches ({asked or 'layers: ' + layers}), so nothing was judged"


def _hint(bundled: bool | None) -> str:
    if bundled:
        return "jw-eval cases list --bundled"
    return (
        "add cases with `jw-eval cases add`, name their folder in the configuration"
        " (`jw-eval init`), or try the bundled ones with `jw-eval run --bundled`"
    )
