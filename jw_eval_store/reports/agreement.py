"""How far judges agree with people, for people and programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jw_eval_store.judges.statistics import Agreement, Share
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.listing import Cell, json_text, listed, listing
from jw_eval_store.runs.agreeing import JudgeAgreement, NodeAgreement

_COLUMNS = (
    "judge",
    "node",
    ">labels",
    "agreement",
    ">kappa",
    "TPR",
    "TNR",
    ">not scored",
    "verdicts contradicted",
)
_NOTHING = "no verdict has been reviewed yet\n  next: jw-eval review\n"


def agreement_report(found: Sequence[JudgeAgreement], form: str, page: Page | None = None) -> str:
    """The agreement as `table`, `json` or `csv`: a row a judge, and below it one a node."""
    if form == "json":
        return json_text([_judge_json(judge) for judge in found])
    if not found and form == "table":
        return _NOTHING
    return listed(listing(_COLUMNS, (row for judge in found for row in _rows(judge))), form, page)


def _rows(judge: JudgeAgreement) -> Iterator[tuple[Cell, ...]]:
    yield (judge.judge, None, *_figures(judge.verdicts, rates=True), None)
    for node in judge.nodes:
        figures = _figures(node.answers, rates=node.rates) if node.answers else (None,) * 6
        yield (judge.judge, node.node, *figures, _share(node.walks))


def _figures(found: Agreement, *, rates: bool) -> tuple[Cell, ...]:
    return (
        found.not_scored.total,
        _share(found.agreement),
        None if found.kappa is None else round(found.kappa, 3),
        _share(found.true_positive) if rates else None,
        _share(found.true_negative) if rates else None,
        found.not_scored.hits,
    )


def _share(share: Share) -> str | None:
    """`8/9 89% (57%-98%)`."""
    if share.value is None:
        return None
    low, high = share.interval
    return f"{share.hits}/{share.total} {share.value:.0%} ({low:.0%}-{high:.0%})"


def _judge_json(judge: JudgeAgreement) -> dict[str, object]:
    return {
        "judge": judge.judge,
        **_agreement_json(judge.verdicts, rates=True),
        "nodes": [_node_json(node) for node in judge.nodes],
    }


def _node_json(node: NodeAgreement) -> dict[str, object]:
    found = _agreement_json(node.answers, rates=node.rates) if node.answers else {}
    return {"node": node.node, **found, "verdicts_contradicted": _share_json(node.walks)}


def _agreement_json(found: Agreement, *, rates: bool) -> dict[str, object]:
    both = {"true_positive_rate": found.true_positive, "true_negative_rate": found.true_negative}
    return {
        "labels": found.not_scored.total,
        "agreement": _share_json(found.agreement),
        "kappa": found.kappa,
        **({name: _share_json(share) for name, share in both.items()} if rates else {}),
        "not_scored": found.not_scored.hits,
    }


def _share_json(share: Share) -> dict[str, object]:
    low, high = share.interval
    return {
        "hits": share.hits,
        "total": share.total,
        "value": share.value,
        "interval_95": [round(low, 4), round(high, 4)],
    }
