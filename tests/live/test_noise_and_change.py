"""No alarm for noise, and none missed for a change: generated pages of ten types, against rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from jw_eval_store.domain.checks import PageCheck, PageStatus
from jw_eval_store.domain.evidence import Evidence
from jw_eval_store.pages.capture import PageSource, Scope, capture
from jw_eval_store.pages.comparing.decide import check_page
from jw_eval_store.pages.comparing.known import Cited, KnownPage
from jw_eval_store.pages.fetching.results import Fetched
from jw_eval_store.pages.reduce import reduce_page
from tests.live.pages import FIRST, TYPES, PageType, changed, renamed, without

AT = "2026-05-30T00:00:00.000Z"


def cited(kind: PageType) -> Cited:
    return Cited(f"case of {kind.name}", kind.cited_url, (kind.phrase,), kind.language)


def known(kind: PageType, scope: Scope, seed: int = 0) -> KnownPage:
    source = PageSource(kind.url, kind.html(seed=seed).encode(), "captured", datetime.now(UTC))
    made = capture(source, [cited(kind)], scope)
    assert not made.lacking
    assert not made.unproven
    evidence: Evidence = reduce_page(made.html, kind.url).evidence("captured")
    entry = made.entry
    return KnownPage(
        evidence, made.html, scope, entry.final_url, entry.headers, entry.bytes_hash,
        entry.text_hash, entry.structure_hash, entry.versions,
    )  # fmt: skip


def check(kind: PageType, html: str, scope: Scope, final_url: str = "") -> PageCheck:
    fetched = Fetched(kind.url, "page", final_url or kind.url, 200, body=html.encode())
    return check_page(kind.url, fetched, known(kind, scope), [cited(kind)], at=AT)


def noisy(seed: int) -> tuple[str, PageCheck]:
    """One noise-only variation: another seed for all that is volatile, another way to write."""
    kind = TYPES[seed % len(TYPES)]
    scope: Scope = "page" if seed // len(TYPES) % 2 else "excerpt"
    return kind.name, check(kind, kind.html(seed=seed + 1), scope)


def assert_quiet(seeds: range) -> None:
    alarms = [
        (seed, name, found.status, found.reasons)
        for seed in seeds
        for name, found in [noisy(seed)]
        if found.problem or found.status not in ("unchanged", "cosmetic")
    ]
    assert alarms == []


def test_noise_is_no_change() -> None:
    assert_quiet(range(60))


@pytest.mark.long
def test_noise_is_no_change_in_a_thousand_variations() -> None:
    assert_quiet(range(60, 1060))


NEGATED = {
    "en": [("The baker carried", "The baker never carried"), ("carried", "did not carry"),
           ("before sunrise", "not before sunrise")],
    "es": [("El panadero llevó", "El panadero no llevó"), ("llevó", "nunca llevó"),
           ("antes del", "no antes del")],
    "pt": [("O padeiro levou", "O padeiro não levou"), ("levou", "nunca levou"),
           ("antes do", "não antes do")],
}  # fmt: skip
NUMBERED = {
    "en": [("seven", "eight"), ("seven", "700"), ("seven loaves", "loaves")],
    "es": [("siete", "ocho"), ("siete", "700"), ("siete panes", "panes")],
    "pt": [("sete", "oito"), ("sete", "700"), ("sete pães", "pães")],
}
OTHER = {
    "en": "Snow covers the meadow while everyone sleeps.",
    "es": "La nieve cubre el prado mientras todos duermen.",
    "pt": "A neve cobre o prado enquanto todos dormem.",
}

Made = tuple[str, str]
"""A changed page, and where it answers (empty: as before)."""

Change = Callable[[PageType, random.Random], Made]


def sentence(kind: PageType) -> str:
    return kind.passages()[FIRST][1]


def inverted(kind: PageType, rng: random.Random) -> Made:
    old, new = rng.choice(NEGATED[kind.language])
    text = sentence(kind).replace(old, new, 1)
    return kind.html(changed(kind.passages(), FIRST, text), seed_of(rng)), ""


def another_number(kind: PageType, rng: random.Random) -> Made:
    old, new = rng.choice(NUMBERED[kind.language])
    text = sentence(kind).replace(old, new, 1)
    return kind.html(changed(kind.passages(), FIRST, text), seed_of(rng)), ""


def another_sentence(kind: PageType, rng: random.Random) -> Made:
    return kind.html(changed(kind.passages(), FIRST, OTHER[kind.language]), seed_of(rng)), ""


def cut_out(kind: PageType, rng: random.Random) -> Made:
    text = sentence(kind).replace(kind.phrase, "", 1)
    return kind.html(changed(kind.passages(), FIRST, text), seed_of(rng)), ""


def removed(kind: PageType, rng: random.Random) -> Made:
    return kind.html(without(kind.passages(), FIRST), seed_of(rng)), ""


def at_another_anchor(kind: PageType, rng: random.Random) -> Made:
    passages = kind.passages()
    return kind.html(renamed(passages, FIRST, passages[0][0][:-1] + "77"), seed_of(rng)), ""


def swapped(kind: PageType, rng: random.Random) -> Made:
    passages = list(kind.passages())
    other = rng.choice([n for n in range(len(passages)) if n != FIRST])
    one, two = passages[FIRST], passages[other]
    passages[FIRST], passages[other] = (one[0], two[1]), (two[0], one[1])
    return kind.html(tuple(passages), seed_of(rng)), ""


def not_found(kind: PageType, rng: random.Random) -> Made:
    return kind.html(seed=seed_of(rng), article="no"), ""


def other_language(kind: PageType, rng: random.Random) -> Made:
    texts = tuple((anchor, f"Brot und Salz {n}.") for n, (anchor, _) in enumerate(kind.passages()))
    return kind.html(texts, seed_of(rng), language="de"), ""


def other_document(kind: PageType, rng: random.Random) -> Made:
    texts = tuple((a, f"A wholly different matter, part {n}.") for n, (a, _) in
                  enumerate(kind.passages()))  # fmt: skip
    return kind.html(texts, seed_of(rng), marks="pub-w docId-1999999999"), ""


def elsewhere(kind: PageType, rng: random.Random) -> Made:
    return kind.html(seed=seed_of(rng)), f"https://wol.jw.org/en/elsewhere/{rng.randrange(99)}"


def hidden(kind: PageType, rng: random.Random) -> Made:
    """The passage is there, but no reader sees it."""
    html = kind.html()
    text = sentence(kind)
    ways = (f"<span hidden>{text}</span>", f"<!-- {text} -->", f'<b title="{text}"></b>',
            f"<script>'{text}'</script>")  # fmt: skip
    assert text in html
    return html.replace(text, rng.choice(ways)), ""


def seed_of(rng: random.Random) -> int:
    return rng.randrange(1, 10**6)


ANYWHERE: dict[Change, frozenset[PageStatus]] = {
    inverted: frozenset(["claim_changed"]),
    another_number: frozenset(["claim_changed"]),
    another_sentence: frozenset(["quote_missing", "claim_changed"]),
    cut_out: frozenset(["quote_missing", "claim_changed"]),
    removed: frozenset(["quote_missing"]),
    elsewhere: frozenset(["moved"]),
    hidden: frozenset(["quote_missing", "claim_changed"]),
}
WITH_ANCHORS: dict[Change, frozenset[PageStatus]] = {
    at_another_anchor: frozenset(["structure_changed"]),
    swapped: frozenset(["quote_missing", "claim_changed"]),
    not_found: frozenset(["soft_404"]),
    other_language: frozenset(["soft_404"]),
}


def changes_of(kind: PageType) -> dict[Change, frozenset[PageStatus]]:
    found = ANYWHERE | (WITH_ANCHORS if kind.anchors else {})
    if "docId" in kind.marks:
        found = found | {other_document: frozenset(["soft_404"])}
    return found


def assert_noticed(seeds: range) -> Counter[str]:
    seen: Counter[str] = Counter()
    missed = []
    for seed in seeds:
        rng = random.Random(seed)
        kind = TYPES[seed % len(TYPES)]
        change, expected = rng.choice(list(changes_of(kind).items()))
        scope: Scope = rng.choice(("excerpt", "page"))
        html, final_url = change(kind, rng)
        found = check(kind, html, scope, final_url)
        seen[change.__name__] += 1
        if not found.problem or found.status not in expected:
            missed.append((seed, kind.name, change.__name__, scope, found.status, found.reasons))
    assert missed == []
    return seen


def test_a_change_is_noticed() -> None:
    assert_noticed(range(60))


@pytest.mark.long
def test_a_change_is_noticed_in_a_thousand() -> None:
    seen = assert_noticed(range(60, 1060))
    assert len(seen) == 12
    assert min(seen.values()) >= 15


def test_a_changed_page_elsewhere_is_information() -> None:
    kind = TYPES[4]
    other = changed(kind.passages(), 9, "Nothing of this was written before.")
    found = check(kind, kind.html(other), "excerpt")
    assert (found.status, found.problem) == ("text_changed", False)
    assert found.passages == ()
    whole = check(kind, kind.html(other), "page")
    assert [(c.anchor, c.new) for c in whole.passages] == [
        ("p10", "Nothing of this was written before.")
    ]


def test_a_renamed_class_of_verses_counts_as_structure() -> None:
    kind = TYPES[0]
    html = kind.html(verse_class="verse")
    assert check(kind, html, "excerpt").status == "structure_changed"
    assert not check(kind, html, "excerpt").problem
    fetched = Fetched(kind.url, "page", kind.url, 200, body=html.encode())
    strict = check_page(
        kind.url, fetched, known(kind, "page"), [cited(kind)], at=AT, structure="any"
    )
    assert strict.problem


def test_fingerprints_of_other_rules_are_not_compared() -> None:
    kind = TYPES[0]
    older = replace(known(kind, "page"), versions={"reducer": "0"}, text_hash="sha256:x")
    same, other = kind.html(seed=9), kind.html(changed(kind.passages(), 8, "Other."), seed=9)
    statuses = []
    for html in (same, other):
        fetched = Fetched(kind.url, "page", kind.url, 200, body=html.encode())
        found = check_page(kind.url, fetched, older, [cited(kind)], at=AT)
        assert "only its passages were compared" in found.reasons[0]
        statuses.append(found.status)
    assert statuses == ["cosmetic", "text_changed"]
