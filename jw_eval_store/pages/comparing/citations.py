"""Whether a page still says what a case cites it for, at the place that it names.

Rules, in this order. The phrase stands there: well, unless a passage that carried it in the
snapshot differs now in a negator, number or name (claim_changed; also where the phrase itself was
changed so, and the passage is still much like it was). It stands elsewhere and its
anchor is gone: structure_changed, a problem. What is nearest to it differs in a negator, number or
name: claim_changed. Else: quote_missing.
"""

from __future__ import annotations

from jw_eval_store.domain.checks import CitationCheck, PageStatus, PassageChange
from jw_eval_store.domain.evidence import Passage
from jw_eval_store.pages.comparing.known import Cited, KnownPage
from jw_eval_store.pages.comparing.passages import LIKENESS, alike, counterpart
from jw_eval_store.pages.excerpts import carrying, passages_at
from jw_eval_store.text.claims import claim_difference
from jw_eval_store.text.normal import normal
from jw_eval_store.text.passages import SearchableText
from jw_eval_store.text.phrases import Nearest, nearest_passage


def broken(cited: Cited, page: SearchableText, known: KnownPage | None) -> CitationCheck | None:
    """What is wrong with one citation; none: the page bears it out as before."""
    if changed := _changed_claims(cited, page, known):
        reasons = [f"{_at(change.anchor)}{change.difference}" for change in changed]
        return _problem(cited, "claim_changed", reasons, changed)
    if cited.stands_in(page):
        return None
    return _lost_anchor(cited, page, known) or _missing(cited, page, known)


def _changed_claims(
    cited: Cited, page: SearchableText, known: KnownPage | None
) -> tuple[PassageChange, ...]:
    """The passages that carried its phrases and now claim something else."""
    changes = []
    for passage in _carriers(cited, known):
        now = counterpart(passage, page)
        if now is None or normal(now.text) == normal(passage.text):
            continue
        if not cited.stands_in(page) and not alike(passage, now):
            continue
        if difference := claim_difference(passage.text, now.text, cited.language, whole=True):
            changes.append(_change(passage, now, difference))
    return tuple(changes)


def _carriers(cited: Cited, known: KnownPage | None) -> tuple[Passage, ...]:
    """The snapshot's passages that bear the citation out."""
    if known is None or not known.is_of_the_site:
        return ()
    positions = {
        at for phrase in cited.phrases for at in carrying(known.text, phrase, cited.anchor)
    }
    return passages_at(known.text, sorted(positions))


def _lost_anchor(
    cited: Cited, page: SearchableText, known: KnownPage | None
) -> CitationCheck | None:
    """Where the cited anchor is gone from the page, but not what it stood for."""
    anchor = cited.anchor
    if anchor is None or page.within(anchor):
        return None
    elsewhere = [at for phrase in cited.phrases for at in carrying(page, phrase)]
    if cited.phrases and not elsewhere:
        return None
    places = dict.fromkeys(p.anchor or "no anchor" for p in passages_at(page, elsewhere))
    where = f"; the phrase stands at {', '.join(places)}" if places else ""
    old = _carriers(cited, known)
    now = passages_at(page, elsewhere)
    changes = [_change(one, other, "") for one, other in zip(old, now, strict=False)]
    return _problem(cited, "structure_changed", [f"{anchor} is gone{where}"], tuple(changes))


def _missing(cited: Cited, page: SearchableText, known: KnownPage | None) -> CitationCheck:
    """The phrase is not there: does the nearest passage contradict it, or is it just gone?"""
    wanted = " or ".join(f"“{phrase}”" for phrase in cited.phrases)
    where = f" at {cited.anchor}" if cited.anchor else ""
    reason = f"it does not hold {wanted}{where}"
    old = next(iter(_carriers(cited, known)), None)
    phrase, near = _nearest(cited, page)
    if near is None:
        return _problem(cited, "quote_missing", [reason], _only_old(old))
    change = _change(old or Passage(near.passage.anchor, phrase), near.passage, "")
    difference = claim_difference(phrase, near.text, cited.language)
    if difference and near.score >= LIKENESS:
        told = change.model_copy(update={"difference": difference})
        return _problem(cited, "claim_changed", [reason, difference], (told,))
    nearest = f"nearest passage: “{near.text}”, {near.score:.0f} % alike"
    return _problem(cited, "quote_missing", [reason, nearest], (change,))


def _nearest(cited: Cited, page: SearchableText) -> tuple[str, Nearest | None]:
    """The phrase that something on the page is most like, and that."""
    passages = page.within(cited.anchor) or page.passages
    located = [(phrase, nearest_passage(passages, phrase)) for phrase in cited.phrases]
    return max(located, key=lambda pair: pair[1].score if pair[1] else -1.0, default=("", None))


def _only_old(old: Passage | None) -> tuple[PassageChange, ...]:
    return (PassageChange(anchor=old.anchor, old=old.text, new=None),) if old else ()


def _change(old: Passage, new: Passage, difference: str) -> PassageChange:
    return PassageChange(
        anchor=old.anchor or new.anchor, old=old.text, new=new.text, difference=difference
    )


def _problem(
    cited: Cited,
    status: PageStatus,
    reasons: list[str],
    passages: tuple[PassageChange, ...],
) -> CitationCheck:
    return CitationCheck(
        case_id=cited.case_id,
        url=cited.url,
        status=status,
        problem=True,
        reasons=tuple(reasons),
        passages=passages,
    )


def _at(anchor: str) -> str:
    return f"{anchor}: " if anchor else ""
