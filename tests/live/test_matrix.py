"""The life of a page: some seventy situations, each over real HTTPS, and the status each gets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from jw_eval_store.domain.checks import PROBLEMS, UNDECIDED, PageStatus
from tests.fetching import replies
from tests.fetching.replies import redirect, zipped
from tests.fetching.site import Reply, Site
from tests.live.conftest import LiveProject
from tests.live.pages import (
    FIRST,
    PageType,
    changed,
    numbered,
    of_type,
    renamed,
    without,
)

Answers = Callable[[PageType, Site], list[Reply | str]]

CHAPTER, ARTICLE, PLAIN = of_type("chapter"), of_type("article"), of_type("plain")


@dataclass(frozen=True)
class Situation:
    """What a page answers after it was captured, and what that is."""

    name: str
    kind: PageType
    answers: Answers
    status: PageStatus
    problem: bool | None = None

    @property
    def is_problem(self) -> bool:
        return self.status in PROBLEMS if self.problem is None else self.problem


def page(verse_class: str = "v", article: str = "yes") -> Answers:
    return lambda kind, site: [kind.html(verse_class=verse_class, article=article)]


def seeded(seed: int) -> Answers:
    return lambda kind, site: [kind.html(seed=seed)]


def with_text(old: str, new: str) -> Answers:
    """The cited sentence with something else in it."""

    def answers(kind: PageType, site: Site) -> list[Reply | str]:
        text = kind.passages()[FIRST][1]
        assert old in text
        return [kind.html(changed(kind.passages(), FIRST, text.replace(old, new)), 3)]

    return answers


def edited(old: str, new: str) -> Answers:
    """The page's HTML with something else in it."""

    def answers(kind: PageType, site: Site) -> list[Reply | str]:
        assert old in kind.html()
        return [kind.html().replace(old, new)]

    return answers


def reply(*given: Reply | str) -> Answers:
    return lambda kind, site: list(given)


def moved_to(path: str, *, host: str = "wol.jw.org", what: str = "") -> Answers:
    def answers(kind: PageType, site: Site) -> list[Reply | str]:
        site.play(f"{kind.path}-{path}", what or kind.html(seed=5))
        return [redirect(f"https://{host}{kind.path}-{path}")]

    return answers


def served(**headers: str) -> Answers:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda kind, site: [Reply(kind.html(), headers=named)]


def encoded(charset: str, claimed: str) -> Answers:
    def answers(kind: PageType, site: Site) -> list[Reply | str]:
        body = kind.html().encode(charset)
        return [Reply(body, headers={"Content-Type": f"text/html; charset={claimed}"})]

    return answers


def then(first: Reply) -> Answers:
    return lambda kind, site: [first, kind.html(seed=8)]


def chain(length: int) -> Answers:
    def answers(kind: PageType, site: Site) -> list[Reply | str]:
        for step in range(1, length):
            site.play(f"{kind.path}-{step}", redirect(f"{kind.path}-{step + 1}"))
        site.play(f"{kind.path}-{length}", kind.html())
        return [redirect(f"{kind.path}-1")]

    return answers


def loop(kind: PageType, site: Site) -> list[Reply | str]:
    site.play(f"{kind.path}-b", redirect(kind.path))
    return [redirect(f"{kind.path}-b")]


def swapped(kind: PageType, site: Site) -> list[Reply | str]:
    found = list(kind.passages())
    one, two = found[FIRST], found[FIRST + 1]
    found[FIRST], found[FIRST + 1] = (one[0], two[1]), (two[0], one[1])
    return [kind.html(tuple(found))]


def reordered(kind: PageType, site: Site) -> list[Reply | str]:
    return [kind.html((*kind.passages()[6:], *kind.passages()[:6]))]


def added(kind: PageType, site: Site) -> list[Reply | str]:
    return [kind.html((*kind.passages(), (kind.passages()[0][0][:-1] + "88", "A new end.")))]


def other_passage(kind: PageType, site: Site) -> list[Reply | str]:
    return [kind.html(changed(kind.passages(), 9, "Another end of the story."))]


def gone_passage(kind: PageType, site: Site) -> list[Reply | str]:
    return [kind.html(without(kind.passages(), FIRST))]


def lost_anchor(kind: PageType, site: Site) -> list[Reply | str]:
    return [kind.html(renamed(kind.passages(), FIRST, kind.passages()[0][0][:-1] + "77"))]


def no_ids(kind: PageType, site: Site) -> list[Reply | str]:
    """All verses keep their text and lose their names."""
    return [kind.html().replace('id="v43', 'data-id="v43')]


def other_document(kind: PageType, site: Site) -> list[Reply | str]:
    texts = tuple((anchor, f"Another matter, part {anchor}.") for anchor, _ in kind.passages())
    return [kind.html(texts, marks="pub-w docId-1999999999")]


def foreign(kind: PageType, site: Site) -> list[Reply | str]:
    texts = tuple((anchor, f"Brot und Salz, {anchor}.") for anchor, _ in kind.passages())
    return [kind.html(texts, language="de")]


SENTENCE = CHAPTER.passages()[FIRST][1]
SNOW = "Snow covers the meadow while everyone sleeps."
CAPTCHA = "<title>Wait</title><div class='g-recaptcha' data-sitekey='1'></div>"
CHALLENGE = "<html><title>Just a moment...</title><script src='/cdn-cgi/cf_chl_x'></script></html>"
CONSENT = "<title>Cookies</title><form action='/consent/save'><button>Accept</button></form>"

SITUATIONS = (
    Situation("the same bytes", CHAPTER, page(), "unchanged"),
    Situation("nonces, years and hashes", CHAPTER, seeded(1), "cosmetic"),
    Situation("ads and time stamps", CHAPTER, seeded(2), "cosmetic"),
    Situation("other disguises", CHAPTER, seeded(4), "cosmetic"),
    Situation("nonces of a document", ARTICLE, seeded(5), "cosmetic"),
    Situation("nonces of a plain page", PLAIN, seeded(6), "cosmetic"),
    Situation("a new navigation", CHAPTER, edited("<nav>", "<nav><ul><li>New</ul>"), "cosmetic"),
    Situation(
        "a new study note", CHAPTER, edited('id="study">', 'id="study"><p>New.</p>'), "cosmetic"
    ),
    Situation("a new year in the classes", CHAPTER, edited(" y20", " x y20"), "cosmetic"),
    Situation("zipped", CHAPTER, lambda kind, site: [zipped(kind.html())], "unchanged"),
    Situation("a banner for cookies", CHAPTER, edited("<nav>", CONSENT + "<nav>"), "cosmetic"),
    Situation(
        "a captcha on a healthy page", CHAPTER, edited("<nav>", CAPTCHA + "<nav>"), "cosmetic"
    ),
    Situation(
        "a video that fails to load",
        CHAPTER,
        edited("<nav>", "<p class='hidden'>Sorry, there was an error</p><nav>"),
        "cosmetic",
    ),
    Situation(
        "UTF-8 that claims to be Latin-1", ARTICLE, encoded("utf-8", "iso-8859-1"), "unchanged"
    ),
    Situation("UTF-8 with a mark", ARTICLE, encoded("utf-8-sig", "utf-8"), "cosmetic"),
    Situation("UTF-16", ARTICLE, encoded("utf-16", "utf-16"), "cosmetic"),
    Situation("a charset that does not exist", ARTICLE, encoded("utf-8", "nonsense"), "unchanged"),
    Situation("500, then 200", CHAPTER, then(Reply(status=500)), "cosmetic"),
    Situation(
        "503 with a short Retry-After",
        CHAPTER,
        then(Reply(status=503, headers={"Retry-After": "1"})),
        "cosmetic",
    ),
    Situation(
        "429 with a short Retry-After",
        CHAPTER,
        then(Reply(status=429, headers={"Retry-After": "1"})),
        "cosmetic",
    ),
    Situation("a cut chunk, then all of it", CHAPTER, then(replies.CUT_CHUNK), "cosmetic"),
    Situation("no answer, then one", CHAPTER, then(replies.HANG_UP), "cosmetic"),
    Situation(
        "a renamed class of verses", CHAPTER, page(verse_class="verse"), "structure_changed", False
    ),
    Situation("verses in another order", CHAPTER, reordered, "structure_changed", False),
    Situation("a verse more", CHAPTER, added, "structure_changed", False),
    Situation(
        "another publication", ARTICLE, edited("pub-w ", "pub-g "), "structure_changed", False
    ),
    Situation("another passage says something else", ARTICLE, other_passage, "text_changed"),
    Situation(
        "a plain page with a line more",
        PLAIN,
        edited("</article>", "<p>More.</p></article>"),
        "text_changed",
    ),
    Situation(
        "a better spelling of the sentence",
        ARTICLE,
        with_text("before", "just before"),
        "text_changed",
    ),
    Situation("a moved verse", CHAPTER, lost_anchor, "structure_changed", True),
    Situation("a moved paragraph", ARTICLE, lost_anchor, "structure_changed", True),
    Situation("verses without names", CHAPTER, no_ids, "structure_changed", True),
    Situation(
        "a document without its number",
        ARTICLE,
        edited("docId-", "doc-"),
        "structure_changed",
        True,
    ),
    Situation("two verses exchanged", CHAPTER, swapped, "quote_missing"),
    Situation("two paragraphs exchanged", ARTICLE, swapped, "quote_missing"),
    Situation("the verse is gone", CHAPTER, gone_passage, "quote_missing"),
    Situation("the sentence of a plain page is gone", PLAIN, gone_passage, "quote_missing"),
    Situation(
        "the sentence stands in a comment",
        ARTICLE,
        edited(SENTENCE, f"<!-- {SENTENCE} -->{SNOW}"),
        "quote_missing",
    ),
    Situation(
        "the sentence is hidden",
        ARTICLE,
        edited(SENTENCE, f"<span hidden>{SENTENCE}</span>{SNOW}"),
        "quote_missing",
    ),
    Situation("another sentence in its place", PLAIN, edited(SENTENCE, SNOW), "quote_missing"),
    Situation(
        "an inverted sentence", CHAPTER, with_text("carried", "never carried"), "claim_changed"
    ),
    Situation(
        "an inverted sentence of a document",
        ARTICLE,
        with_text("carried", "did not carry"),
        "claim_changed",
    ),
    Situation(
        "an inverted plain sentence", PLAIN, with_text("The baker", "No baker"), "claim_changed"
    ),
    Situation("another number in the quote", CHAPTER, with_text("seven", "eight"), "claim_changed"),
    Situation(
        "another number beside the quote",
        ARTICLE,
        with_text("before sunrise", "before 7:30"),
        "claim_changed",
    ),
    Situation("another name", ARTICLE, with_text("The baker", "Old Thomas"), "claim_changed"),
    Situation("a redirect within the list", CHAPTER, moved_to("new"), "moved"),
    Situation("a redirect to the other host", CHAPTER, moved_to("new", host="www.jw.org"), "moved"),
    Situation("a redirect of a plain page", PLAIN, moved_to("new"), "moved"),
    Situation("three redirects", CHAPTER, chain(3), "moved"),
    Situation(
        "a redirect to the start page",
        CHAPTER,
        moved_to("home", what="<article>Welcome</article>"),
        "soft_404",
    ),
    Situation("a redirect to a missing page", CHAPTER, reply(redirect("/nowhere")), "gone"),
    Situation(
        "a redirect out of the list", CHAPTER, reply(redirect("https://example.com/")), "moved_away"
    ),
    Situation("a redirect to http", CHAPTER, reply(redirect("http://wol.jw.org/x")), "moved_away"),
    Situation(
        "a redirect to a private address",
        CHAPTER,
        reply(redirect("https://10.0.0.1/")),
        "moved_away",
    ),
    Situation(
        "a redirect to the host's own network",
        CHAPTER,
        reply(redirect("https://127.0.0.1/x")),
        "moved_away",
    ),
    Situation("redirects in a circle", CHAPTER, loop, "unreachable"),
    Situation(
        "a redirect to itself", CHAPTER, lambda kind, site: [redirect(kind.path)], "unreachable"
    ),
    Situation("redirects without end", CHAPTER, chain(9), "unreachable"),
    Situation("404", CHAPTER, reply(Reply(status=404)), "gone"),
    Situation("410", ARTICLE, reply(Reply(status=410)), "gone"),
    Situation("a soft 404", CHAPTER, page(article="no"), "soft_404"),
    Situation("a soft 404 of a document", ARTICLE, page(article="no"), "soft_404"),
    Situation("an empty article", CHAPTER, reply("<article id='article'></article>"), "soft_404"),
    Situation("an empty page", CHAPTER, reply(""), "soft_404"),
    Situation("another document in its place", ARTICLE, other_document, "soft_404"),
    Situation("the page in another language", CHAPTER, foreign, "soft_404"),
    Situation("403", CHAPTER, reply(Reply(status=403)), "blocked"),
    Situation(
        "403 with a challenge",
        CHAPTER,
        reply(Reply(status=403, headers={"cf-mitigated": "challenge"})),
        "blocked",
    ),
    Situation(
        "429 with a long Retry-After",
        CHAPTER,
        reply(Reply(status=429, headers={"Retry-After": "999"})),
        "blocked",
    ),
    Situation("429 and no end", CHAPTER, reply(Reply(status=429)), "blocked"),
    Situation("a captcha with 200", CHAPTER, reply(CAPTCHA), "blocked"),
    Situation("a challenge with 200", CHAPTER, reply(CHALLENGE), "blocked"),
    Situation("a consent form with 200", CHAPTER, reply(CONSENT), "blocked"),
    Situation("forbidden by robots.txt now", CHAPTER, page(), "blocked"),
    Situation("500 and no end", CHAPTER, reply(Reply(status=500)), "unreachable"),
    Situation("a slow drip", CHAPTER, reply(replies.DRIP), "unreachable"),
    Situation("a head that never ends", CHAPTER, reply(replies.SLOW_HEAD), "unreachable"),
    Situation("a cut chunk", CHAPTER, reply(replies.CUT_CHUNK), "unreachable"),
    Situation("a cut archive", CHAPTER, reply(replies.CUT_GZIP), "unreachable"),
    Situation("no answer", CHAPTER, reply(replies.HANG_UP), "unreachable"),
    Situation("an endless body", CHAPTER, reply(replies.ENDLESS), "too_large"),
    Situation("a bomb", CHAPTER, reply(replies.BOMB), "too_large"),
    Situation("a PDF", CHAPTER, served(Content_Type="application/pdf"), "not_html"),
    Situation(
        "JSON",
        CHAPTER,
        reply(Reply("{}", headers={"Content-Type": "application/json"})),
        "not_html",
    ),
)


@pytest.fixture
def lived(project: LiveProject) -> LiveProject:
    """A project with a page a situation, captured while all was well, and what became of them."""
    places = {}
    for number, situation in enumerate(SITUATIONS):
        kind = numbered(situation.kind, number)
        project.page(kind, f"case{number:02}")
        places[number] = kind
    assert all(page.ok and page.outcome == "stored" for page in project.build())
    for number, situation in enumerate(SITUATIONS):
        kind = places[number]
        project.site.play(kind.path, *situation.answers(kind, project.site))
        if "robots" in situation.name:
            rules = f"User-agent: *\nDisallow: {kind.path}$\n"
            project.site.play("/robots.txt", Reply(rules, headers={"Content-Type": "text/plain"}))
    return project


@pytest.mark.long
def test_every_situation_has_its_status_and_its_verdict(lived: LiveProject) -> None:
    assert len(SITUATIONS) >= 60
    report = lived.live()
    found = {check.cases[0]: check for check in lived.latest()}
    wrong = [
        f"{situation.name}: {check.status}, problem {check.problem}: {check.reasons}"
        for number, situation in enumerate(SITUATIONS)
        for check in [found[f"case{number:02}"]]
        if (check.status, check.problem) != (situation.status, situation.is_problem)
    ]
    assert "\n".join(wrong) == ""
    verdicts = {result.case_id: result.verdict for result in report.results}
    for number, situation in enumerate(SITUATIONS):
        undecided = "error" if situation.status in UNDECIDED else "pass"
        expected = "fail" if situation.is_problem else undecided
        assert verdicts[f"case{number:02}"] == expected, situation.name
    assert report.gate.exit_code == 0
