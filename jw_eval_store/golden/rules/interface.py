"""What a lint rule is, what it may look at, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.evidence import Evidence
from jw_eval_store.golden.reading import Case, ReadCase

Severity = Literal["error", "warning"]

Similar = Callable[[Sequence[str]], Iterable[tuple[int, int, float]]]
"""Finds near-duplicates: pairs of positions in the texts, each with a likeness of 0..1."""

GraphProblems = Callable[[SemanticCase, str], Iterable[str]]
"""Says what is not sound about a case's judge graph; the text is the case's path."""


@dataclass(frozen=True)
class Ages:
    """Ages in whole days, of evidence by fetch key and of recordings by (case id, agent).

    `greatest` is the greatest that is allowed.
    """

    greatest: int
    evidence: Mapping[str, int]
    recordings: Mapping[tuple[str, str], int]


@dataclass(frozen=True)
class Rule:
    """A rule by its stable id. `severity` is the gravest it gives.

    `needs` names what of the context it cannot do without.
    """

    id: str
    severity: Severity
    description: str
    needs: Literal["evidence", "agents", "graph_problems", "similar", "ages"] | None = None


@dataclass(frozen=True)
class Context:
    """What rules may look at besides the case. None: not known, so those rules say nothing."""

    evidence: Mapping[str, Evidence] | None = None
    agents: Collection[str] | None = None
    graph_problems: GraphProblems | None = None
    similar: Similar | None = None
    ages: Ages | None = None

    def serves(self, rule: Rule) -> bool:
        """Whether all is known that the rule needs."""
        return rule.needs is None or getattr(self, rule.needs) is not None


@dataclass(frozen=True)
class Remark:
    """What a rule says about a case, at a key by its dotted name."""

    rule: Rule
    key: str
    message: str
    hint: str | None = None
    severity: Severity | None = None


CaseCheck = Callable[[Case, Context], Iterator[Remark]]
"""Looks at one case."""

SetCheck = Callable[[Sequence[ReadCase], Context], Iterator[tuple[ReadCase, Remark]]]
"""Looks at all cases together."""
