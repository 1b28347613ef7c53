"""Contradictions in cases, found before anything runs: without agent, database or network."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from jw_eval_store.domain.evidence import Evidence
from jw_eval_store.golden.problems import nearest
from jw_eval_store.golden.reading import ReadCase
from jw_eval_store.golden.rules import ages as ages_rules
from jw_eval_store.golden.rules import counts, evidence, keywords, names, pairs
from jw_eval_store.golden.rules.interface import (
    Ages,
    CaseCheck,
    Context,
    GraphProblems,
    Remark,
    Rule,
    SetCheck,
    Severity,
    Similar,
)

UNUSED_SWITCH = Rule(
    "unused-lint-switch", "warning", "A rule is switched off that has nothing to say."
)
UNKNOWN_RULE = Rule("unknown-lint-rule", "error", "A rule is switched off that does not exist.")

RULES: dict[str, Rule] = {
    rule.id: rule
    for rule in (
        *keywords.RULES,
        *counts.RULES,
        *evidence.RULES,
        *names.RULES,
        *pairs.RULES,
        *ages_rules.RULES,
        UNUSED_SWITCH,
        UNKNOWN_RULE,
    )
}
"""Every rule by its id, for documentation and help."""

_CASE_CHECKS: tuple[CaseCheck, ...] = (
    keywords.check,
    counts.check,
    evidence.check,
    names.check,
    pairs.counter_is_golden,
    ages_rules.check,
)
_SET_CHECKS: tuple[SetCheck, ...] = (
    names.alike_ids,
    names.unsound_graphs,
    pairs.duplicate_ids,
    pairs.conflicts,
    pairs.near_duplicates,
)


@dataclass(frozen=True)
class LintFinding:
    """One thing that is wrong with a case; path and line where they are known."""

    case_id: str
    path: str
    line: int | None
    rule: str
    severity: Severity
    message: str
    hint: str | None = None


def lint(
    cases: Sequence[ReadCase],
    *,
    evidence: Mapping[str, Evidence] | None = None,
    agents: Collection[str] | None = None,
    graph_problems: GraphProblems | None = None,
    similar: Similar | None = None,
    ages: Ages | None = None,
) -> list[LintFinding]:
    """What is wrong with these cases, in their order. Evidence by fetch key, agents by name.

    What is not given is not checked. A case's `lint:` switches rules off, each with a reason.
    """
    context = Context(evidence, agents, graph_problems, similar, ages)
    remarks: dict[int, list[Remark]] = {id(read): [] for read in cases}
    for read in cases:
        for check in _CASE_CHECKS:
            remarks[id(read)] += check(read.case, context)
    for check_set in _SET_CHECKS:
        for read, remark in check_set(cases, context):
            remarks[id(read)].append(remark)
    return [finding for read in cases for finding in _findings(read, remarks[id(read)], context)]


def _findings(read: ReadCase, remarks: list[Remark], context: Context) -> Iterator[LintFinding]:
    said = {remark.rule.id for remark in remarks}
    kept = [remark for remark in remarks if remark.rule.id not in read.case.lint]
    for remark in sorted([*kept, *_switches(read, said, context)], key=lambda r: _line(read, r)):
        yield LintFinding(
            case_id=read.case.id,
            path=read.path,
            line=read.line(remark.key),
            rule=remark.rule.id,
            severity=remark.severity or remark.rule.severity,
            message=remark.message,
            hint=remark.hint,
        )


def _line(read: ReadCase, remark: Remark) -> int:
    return read.line(remark.key) or 0


def _switches(read: ReadCase, said: set[str], context: Context) -> Iterator[Remark]:
    """Switches that name no rule, or one that was asked and said nothing."""
    for name in read.case.lint:
        rule = RULES.get(name)
        if rule is None:
            near = nearest(name, RULES)
            hint = f"did you mean '{near}'?" if near else "see `jw-eval cases lint --rules`"
            yield Remark(UNKNOWN_RULE, f"lint.{name}", f"no lint rule is called '{name}'", hint)
        elif name not in said and context.serves(rule):
            message = f"'{name}' is switched off, but has nothing to say"
            yield Remark(UNUSED_SWITCH, f"lint.{name}", message, "remove the switch")
