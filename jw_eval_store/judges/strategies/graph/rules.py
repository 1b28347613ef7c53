"""What code can decide needs no model: code has no variance, and costs nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from jw_eval_store.judges.errors import JudgeError
from jw_eval_store.judges.judgement import Judgement
from jw_eval_store.judges.strategies.graph.model import (
    CitesRule,
    FindingsRule,
    KeywordRule,
    RegexRule,
    Rule,
    SimilarityRule,
)
from jw_eval_store.text.phrases import find_keywords
from jw_eval_store.text.urls import citation_matches


class Ruling(NamedTuple):
    """A rule's answer, with what it was found by."""

    holds: bool
    details: dict[str, Any]


def ruling(rule: Rule, judgement: Judgement) -> Ruling:
    """What a rule says of a judgement. Where a case lists nothing, nothing is violated.

    Raises JudgeError (embedder_unavailable) for a similarity that nobody can compute.
    """
    return _RULINGS[type(rule)](rule, judgement)


def rule_text(rule: Rule) -> str:
    """A rule in words, as its step and the drawing show it."""
    if isinstance(rule, KeywordRule):
        return f"{rule.rule} {_listed(rule.phrases)}"
    if isinstance(rule, RegexRule):
        return f"regex {rule.pattern}"
    if isinstance(rule, CitesRule):
        return f"cites {_listed(rule.urls)}"
    return f"{rule.rule} {rule.at_least:g}"


def _listed(names: str | tuple[str, ...]) -> str:
    return names if isinstance(names, str) else ", ".join(names)


def _keywords(rule: KeywordRule, judgement: Judgement) -> Ruling:
    named = {"keywords_any": judgement.keywords_any, "keywords_none": judgement.keywords_none}
    phrases = named[rule.phrases] if isinstance(rule.phrases, str) else rule.phrases
    found = find_keywords(judgement.candidate, phrases)
    any_wanted = rule.rule == "contains_any"
    holds = bool(found) or not phrases if any_wanted else not found
    return Ruling(holds, {"phrases": list(phrases), "found": list(found)})


def _regex(rule: RegexRule, judgement: Judgement) -> Ruling:
    found = re.search(rule.pattern, judgement.candidate, re.IGNORECASE)
    return Ruling(found is not None, {"found": found.group() if found else None})


def _cites(rule: CitesRule, judgement: Judgement) -> Ruling:
    wanted = judgement.expected_citations if isinstance(rule.urls, str) else rule.urls
    missing = [url for url in wanted if not any(_matches(url, cited) for cited in judgement.cited)]
    return Ruling(not missing, {"expected": list(wanted), "missing": missing})


def _matches(expected: str, cited: str) -> bool:
    """Agents cite what they like: what is no URL matches nothing."""
    try:
        return citation_matches(expected, cited)
    except ValueError:
        return False


def _similarity(rule: SimilarityRule, judgement: Judgement) -> Ruling:
    if judgement.similarity is None:
        raise JudgeError(
            "a rule asks for the similarity of the answers, and there is no embedder",
            hint="pip install 'jw-eval-store[embedded]'",
            code="embedder_unavailable",
        )
    cosine = round(judgement.similarity(), 4)
    return Ruling(cosine >= rule.at_least, {"cosine": cosine, "at_least": rule.at_least})


def _findings(rule: FindingsRule, judgement: Judgement) -> Ruling:
    enough = judgement.findings >= rule.at_least
    return Ruling(enough, {"findings": judgement.findings, "at_least": rule.at_least})


_RULINGS: Mapping[type, Callable[[Any, Judgement], Ruling]] = {
    KeywordRule: _keywords,
    RegexRule: _regex,
    CitesRule: _cites,
    SimilarityRule: _similarity,
    FindingsRule: _findings,
}
