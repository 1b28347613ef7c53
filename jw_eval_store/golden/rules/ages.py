"""Evidence and recordings that are too old (`cases lint --max-age DAYS`)."""

from __future__ import annotations

from collections.abc import Iterator

from jw_eval_store.domain.cases import StructuralCase
from jw_eval_store.golden.reading import Case
from jw_eval_store.golden.rules.interface import Context, Remark, Rule
from jw_eval_store.text.urls import parse_url

OLD_EVIDENCE = Rule(
    "old-evidence", "error", "A cited page was captured longer ago than --max-age.", "ages"
)
OLD_RECORDING = Rule(
    "old-recording", "error", "The agent was recorded longer ago than --max-age.", "ages"
)
RULES = (OLD_EVIDENCE, OLD_RECORDING)


def check(case: Case, context: Context) -> Iterator[Remark]:
    """All rules of this family; nothing where no greatest age was asked for."""
    ages = context.ages
    if ages is None:
        return
    days = ages.recordings.get((case.id, case.agent), 0)
    if days > ages.greatest:
        said = f"its recording with {case.agent} is {days} days old, {ages.greatest} are allowed"
        yield Remark(OLD_RECORDING, "agent", said, f"jw-eval agents record --case {case.id}")
    if isinstance(case, StructuralCase):
        return
    for position, citation in enumerate(case.expected.expected_citations):
        days = ages.evidence.get(parse_url(citation.url).fetch_key, 0)
        if days > ages.greatest:
            said = f"the evidence of {citation.url} is {days} days old, {ages.greatest} are allowed"
            key = f"expected.expected_citations.{position}"
            yield Remark(OLD_EVIDENCE, key, said, "jw-eval snapshots refresh")
