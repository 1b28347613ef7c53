"""The graph as a strategy: the hard walk decides, the soft one informs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.judges.judgement import Judgement, Outcome
from jw_eval_store.judges.session import Session
from jw_eval_store.judges.strategies.graph.check import threshold_problem
from jw_eval_store.judges.strategies.graph.model import Graph
from jw_eval_store.judges.strategies.graph.soft import soft_walk
from jw_eval_store.judges.strategies.graph.walk import Walk
from jw_eval_store.judges.strategies.interface import Strategy, decided
from jw_eval_store.judges.strategies.keywords import missing_keywords


class GraphStrategy(Strategy):
    """Passes where the end reached scores at least `pass_at` (0..1).

    `soft_calls`: extra questions for the soft walk, none: no soft walk. Raises UsageError where no
    answer could pass, or none could fail.
    """

    name = "graph"

    def __init__(self, graph: Graph, pass_at: float, soft_calls: int | None = None) -> None:
        problem = threshold_problem(graph, pass_at)
        if problem:
            raise UsageError(
                f"judge graph {graph.graph}: {problem}", hint="change pass_at of the case's judge"
            )
        self._graph, self._pass_at, self._soft_calls = graph, pass_at, soft_calls

    def judge(self, judgement: Judgement, session: Session) -> Outcome:
        """Walk to an end; required keywords come first where the graph does not mind them."""
        failed = None if self._graph.minds_keywords else missing_keywords(judgement, session)
        if failed:
            return failed
        walk = Walk(self._graph, judgement, session)
        end, path = walk.to_end()
        details: dict[str, Any] = {"graph": self._graph.graph, "path": path}
        soft = None if self._soft_calls is None else soft_walk(walk, self._soft_calls)
        if soft is not None:
            details["soft"] = {"covered": round(soft.covered, 6), "questions": soft.questions}
        return Outcome(
            decided(end.score, self._pass_at),
            end.score,
            (end.because,) if end.because else (f"the walk ended at {path[-1]}",),
            soft_score=None if soft is None else soft.score,
            details=details,
        )

    def identity(self) -> Mapping[str, Any]:
        """Graph and threshold; the soft walk changes no verdict, but a stored score."""
        return {
            "strategy": self.name,
            "graph": self._graph.graph,
            "graph_hash": self._graph.content_hash,
            "pass_at": self._pass_at,
            "soft_calls": self._soft_calls,
        }
