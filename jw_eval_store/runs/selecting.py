"""Turn a selection into cases; whatever matches nothing is an error, never an empty success."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from jw_eval_store.domain.cases import LAYERS, Layer
from jw_eval_store.domain.errors import EmptySelectionError
from jw_eval_store.domain.selections import Selection
from jw_eval_store.store.cases import (
    CaseRow,
    any_case,
    find_case,
    known_ids,
    known_values,
    select_cases,
)
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.selected import fill_selected, selected_values
from jw_eval_store.text.nearest import did_you_mean, nearest

Kind = Literal["agent", "language", "topic", "case_id"]


def select_for_run(
    conn: Connection, selection: Selection, *, layers_asked: bool, bundled: bool | None
) -> None:
    """Select the cases of a run (`store.selected`).

    Raises EmptySelectionError where the whole, or any single agent, language, id, topic, or a
    layer that was asked for by name, matches no case.
    """
    _check_ids(conn, selection)
    if not fill_selected(conn, selection, bundled=bundled):
        elsewhere = None if layers_asked else _at_other_layers(conn, selection, bundled)
        hint = elsewhere or _meant(conn, selection) or _hint(bundled)
        raise EmptySelectionError(_nothing(conn, selection), hint=hint)
    _check_each(conn, "agent", selection.agents)
    _check_each(conn, "language", selection.languages)
    _check_each(conn, "topic", selection.topics)
    _check_each(conn, "case_id", selection.case_ids)
    if layers_asked:
        _check_layers(selection.layers, selected_values(conn, "layer"))


def check_bars(conn: Connection, layers: Collection[Layer]) -> None:
    """Raise EmptySelectionError where a bar was set for a layer of which nothing is selected."""
    found = selected_values(conn, "layer")
    missing = [layer for layer in LAYERS if layer in layers and layer not in found]
    if missing:
        raise EmptySelectionError(
            f"a bar is set for layer {missing[0].upper()}, of which no case is selected",
            hint=f"add {missing[0][1:]} to --layer, or leave that bar out",
        )


def selected(
    conn: Connection, selection: Selection, *, layers_asked: bool, bundled: bool | None
) -> list[CaseRow]:
    """The cases meant, by id. Raises as `select_for_run` does."""
    select_for_run(conn, selection, layers_asked=layers_asked, bundled=bundled)
    return select_cases(conn, selection, bundled=bundled)


def _check_ids(conn: Connection, selection: Selection) -> None:
    """An id that does not exist at all is said first: filters beside it would hide the typo."""
    known = known_ids(conn) if selection.case_ids else []
    for case_id in selection.case_ids:
        if case_id not in known:
            row = find_case(conn, case_id)
            if row is not None and row.archived:
                hint = f"jw-eval cases restore {case_id}"
                raise EmptySelectionError(f"case {case_id!r} is archived", hint=hint)
            raise _missing("case", case_id, known)


def _check_each(conn: Connection, kind: Kind, wanted: Sequence[str]) -> None:
    found = selected_values(conn, kind) if wanted else set()
    for name in wanted:
        if name not in found:
            known = known_ids(conn) if kind == "case_id" else known_values(conn, kind)
            raise _missing(kind.removesuffix("_id"), name, known)


def _missing(kind: str, name: str, known: Sequence[str]) -> EmptySelectionError:
    hint = did_you_mean(name, known) if name not in known else None
    return EmptySelectionError(
        f"no case selected for {kind} {name!r}", hint=hint or "jw-eval cases list"
    )


def _check_layers(wanted: Sequence[Layer], found: set[str]) -> None:
    missing = [layer.upper() for layer in wanted if layer not in found]
    if missing:
        raise EmptySelectionError(
            f"the selection has no case at layer {', '.join(missing)}",
            hint="leave that layer out of --layer, or widen the selection",
        )


def _nothing(conn: Connection, selection: Selection) -> str:
    if not any_case(conn):
        return "there is no golden case in the store, so nothing is selected"
    parts = selection.model_dump(mode="json", exclude_defaults=True)
    asked = "; ".join(f"{name}: {', '.join(values)}" for name, values in parts.items())
    layers = ", ".join(layer.upper() for layer in selection.layers)
    return f"no golden case matches ({asked or 'layers: ' + layers}), so nothing is selected"


def _meant(conn: Connection, selection: Selection) -> str | None:
    """The nearest name to the first one that no case has, if one was probably misspelt."""
    asked = (
        (known_values(conn, "agent"), selection.agents),
        (known_values(conn, "language"), selection.languages),
        (known_values(conn, "topic"), selection.topics),
    )
    for known, wanted in asked:
        for name in wanted:
            if name not in known and (near := nearest(name, known)):
                return f"did you mean {near}?"
    return None


def _at_other_layers(conn: Connection, selection: Selection, bundled: bool | None) -> str | None:
    """The layers to ask for, where the cases meant are at layers that runs leave out by default."""
    if not fill_selected(conn, selection.model_copy(update={"layers": LAYERS}), bundled=bundled):
        return None
    numbers = ",".join(sorted(layer[1:] for layer in selected_values(conn, "layer")))
    return f"it matches at another layer: --layer {numbers}"


def _hint(bundled: bool | None) -> str:
    if bundled:
        return "jw-eval cases list --bundled"
    return (
        "add cases with `jw-eval cases add`, name their folder in the configuration"
        " (`jw-eval init`), or try the bundled ones with `jw-eval run --bundled`"
    )
