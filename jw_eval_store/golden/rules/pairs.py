"""Cases that repeat or contradict one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jw_eval_store.domain.cases import SemanticCase, StructuralCase
from jw_eval_store.domain.hashing import canonical_json
from jw_eval_store.golden.reading import Case, ReadCase
from jw_eval_store.golden.rules.interface import Context, Remark, Rule
from jw_eval_store.golden.rules.keywords import required_and_forbidden
from jw_eval_store.text.normal import normal
from jw_eval_store.text.phrases import find_keywords
from jw_eval_store.text.plurals import plural

DUPLICATE_ID = Rule("duplicate-id", "error", "Two cases have the same id.")
CONFLICTING = Rule(
    "conflicting-expectations",
    "error",
    "Two cases of a layer ask an agent the same: contradicting (error), or else (warning).",
)
NEAR_DUPLICATE = Rule(
    "near-duplicate", "warning", "Two golden answers say the same, or nearly.", "similar"
)
RULES = (DUPLICATE_ID, CONFLICTING, NEAR_DUPLICATE)

Found = Iterator[tuple[ReadCase, Remark]]


def duplicate_ids(cases: Sequence[ReadCase], context: Context) -> Found:
    """The second and further cases of an id."""
    first: dict[str, ReadCase] = {}
    for read in cases:
        other = first.setdefault(read.case.id, read)
        if other is not read:
            message = f"id '{read.case.id}' is already that of {other.path or 'another case'}"
            yield read, Remark(DUPLICATE_ID, "id", message, "give each case its own id")


def conflicts(cases: Sequence[ReadCase], context: Context) -> Found:
    """Cases that ask what an earlier one asks; both are the same question to the same agent."""
    first: dict[str, ReadCase] = {}
    for read in cases:
        case = read.case
        asked = canonical_json([case.layer, case.agent, case.input, str(case.now)])
        other = first.setdefault(asked, read)
        if other is read or other.case.id == case.id:
            continue
        why = _contradiction(case, other.case)
        if why:
            message = f"contradicts '{other.case.id}', which asks the same: {why}"
            yield read, Remark(CONFLICTING, "input", message, "mend or archive one of them")
        else:
            message = f"asks the same as '{other.case.id}'"
            yield read, Remark(CONFLICTING, "input", message, "make one case of both", "warning")


def _contradiction(case: Case, other: Case) -> str | None:
    """Why no answer could pass both, if that is so."""
    for one, two in ((case, other), (other, case)):
        required, forbidden = required_and_forbidden(one)[0], required_and_forbidden(two)[1]
        if required and all(find_keywords(keyword, forbidden) for keyword in required):
            return f"'{required[0]}' is required by '{one.id}' and forbidden by '{two.id}'"
        if isinstance(one, StructuralCase) and isinstance(two, StructuralCase):
            least, most = one.expected.min_findings, two.expected.max_findings
            if least is not None and most is not None and least > most:
                return f"at least {plural(least, 'finding')} against at most {most}"
        if isinstance(one, SemanticCase) and isinstance(two, SemanticCase):
            golden = normal(one.expected.golden_answer)
            if golden in map(normal, two.expected.counter_answers):
                return f"the golden answer of '{one.id}' is a counter answer of '{two.id}'"
    return None


def near_duplicates(cases: Sequence[ReadCase], context: Context) -> Found:
    """Golden answers with an equal normal form, and those that `similar` finds; no translations."""
    semantic = [(read, read.case) for read in cases if isinstance(read.case, SemanticCase)]
    texts = [normal(case.expected.golden_answer) for _, case in semantic]
    first: dict[str, int] = {}
    equal = [(first.setdefault(text, at), at, 1.0) for at, text in enumerate(texts)]
    pairs = [pair for pair in equal if pair[0] != pair[1]]
    if context.similar is not None:
        answers = [case.expected.golden_answer for _, case in semantic]
        known = {pair[:2] for pair in pairs}
        pairs += [pair for pair in context.similar(answers) if pair[:2] not in known]
    for earlier, later, likeness in pairs:
        read, other = semantic[later][0], semantic[earlier][1]
        if other.id != read.case.id and other.language == read.case.language:
            message = f"golden answer is nearly that of '{other.id}' (likeness {likeness:.2f})"
            yield read, Remark(NEAR_DUPLICATE, "expected.golden_answer", message)


def counter_is_golden(case: Case, context: Context) -> Iterator[Remark]:
    """A known wrong answer that is the golden one."""
    if not isinstance(case, SemanticCase):
        return
    golden = normal(case.expected.golden_answer)
    for position, answer in enumerate(case.expected.counter_answers):
        if normal(answer) == golden:
            key = f"expected.counter_answers.{position}"
            yield Remark(CONFLICTING, key, "a counter answer is the golden answer", "reword it")
