"""A case as YAML, in the specification's shape and order of keys."""

from __future__ import annotations

from typing import Any

from jw_eval_store.golden.reading import Case
from jw_eval_store.golden.rendering import render

_CITATION_ORDER = ("expected_citations", "support_phrases")
_SEMANTIC_ORDER = (
    "expected_citations",
    "expected_keywords_any",
    "expected_keywords_none",
    "golden_answer",
    "counter_answers",
)


def write_case(case: Case, *, name_layer: bool = False) -> bytes:
    """The YAML of a case that has none yet; reading it gives the same case.

    Its layer is named only on request: in a folder l1, l2 or l3 it need not be.
    """
    return render(case_values(case, name_layer=name_layer)).encode("utf-8")


def case_values(case: Case, *, name_layer: bool = False) -> dict[str, Any]:
    """The values of a case's file, in the order in which they are written."""
    definition = case.definition()
    expected = _shortened(definition.get("expected", {}))
    values: dict[str, Any] = {"id": case.id, "agent": case.agent}
    if name_layer:
        values["layer"] = case.layer
    values["input"] = definition["input"]
    if case.layer == "l1":
        values["expected"] = expected
    else:
        order = _CITATION_ORDER if case.layer == "l2" else _SEMANTIC_ORDER
        values |= {key: expected[key] for key in order if key in expected}
    rest = ("judge", "now", "metadata", "lint")
    return values | {key: definition[key] for key in rest if definition.get(key)}


def _shortened(expected: dict[str, Any]) -> dict[str, Any]:
    """Citations without phrases of their own as plain URLs."""
    citations = expected.get("expected_citations")
    if citations:
        plain = [item if item.get("phrases") else item["url"] for item in citations]
        return expected | {"expected_citations": plain}
    return expected
