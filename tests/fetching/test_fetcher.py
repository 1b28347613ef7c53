"""Fetching over real HTTPS: every outcome is a value, and nothing goes where it may not."""

from __future__ import annotations

import asyncio
import gzip
import time
import zlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from typing import Any

import pytest

from jw_eval_store.pages.fetching.fetcher import Fetcher
from jw_eval_store.pages.fetching.limits import Limits
from jw_eval_store.pages.fetching.results import Fetched, Validators
from tests.fetching import replies
from tests.fetching.replies import redirect, zipped
from tests.fetching.site import HOSTS, Reply, Site, serving, serving_plainly

QUICK = Limits(
    max_bytes=2_000_000, connect=2, read=2, total=8, attempts=2, backoff=0.01, max_wait=2, pace=0
)
PAGE = "<article id='article'>Bread</article>"


def fetch(
    site: Site, *urls: str, validators: Validators | None = None, limits: Limits = QUICK, **how: Any
) -> list[Fetched]:
    async def all_of_them() -> list[Fetched]:
        network = how.pop("network", None) or site.network()
        async with Fetcher(HOSTS, limits, network, **how) as fetcher:
            return await asyncio.gather(*(fetcher.fetch(url, validators) for url in urls))

    return asyncio.run(all_of_them())


class Starts:
    """A budget without an end that notes when requests start; arrivals would tell less exactly."""

    def __init__(self) -> None:
        self.at: list[float] = []

    def __call__(self, host: str) -> bool:
        self.at.append(time.monotonic())
        return True


def one(site: Site, *play: Reply | str, **how: Any) -> Fetched:
    (found,) = fetch(site, site.play("/en/page", *play), **how)
    return found


def test_a_page_comes_with_its_body_status_and_headers(site: Site) -> None:
    found = one(site, Reply(PAGE, headers={"ETag": '"1"', "X-Other": "no"}))
    assert (found.outcome, found.status, found.body) == ("page", 200, PAGE.encode())
    assert found.kept_headers["etag"] == '"1"'
    assert "x-other" not in found.kept_headers
    asked = site.asked[-1]
    assert asked.host == "wol.jw.org"
    assert asked.headers["user-agent"].startswith("jw-eval/")
    assert asked.headers["accept-encoding"] == "gzip, deflate"


@pytest.mark.parametrize(
    "reply",
    [
        zipped(PAGE),
        Reply(zlib.compress(PAGE.encode()), headers={"Content-Encoding": "deflate"}),
        Reply(zlib.compress(PAGE.encode())[2:-4], headers={"Content-Encoding": "deflate"}),
        Reply(PAGE, headers={"Content-Encoding": "identity"}),
        Reply(PAGE, headers={"Content-Type": "application/xhtml+xml; charset=utf-8"}),
        Reply(PAGE, headers={"Content-Type": ""}),
    ],
)
def test_usual_encodings_and_kinds_are_read(site: Site, reply: Reply) -> None:
    assert one(site, reply).body == PAGE.encode()


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("reply", "outcome", "reason"),
    [
        (Reply(status=404), "gone", "404"),
        (Reply(status=410), "gone", "410"),
        (Reply(status=401), "blocked", "401"),
        (Reply(status=403, headers={"cf-mitigated": "challenge"}), "blocked", "challenge"),
        (Reply(PAGE, headers={"x-amzn-waf-action": "captcha"}), "blocked", "challenge"),
        (Reply(status=451), "blocked", "451"),
        (Reply(status=202), "blocked", "202"),
        (Reply(status=429), "blocked", "429"),
        (Reply(status=500), "unreachable", "500"),
        (Reply(status=400), "unreachable", "400"),
        (Reply(status=301), "unreachable", "without a location"),
        (Reply(b"%PDF", headers={"Content-Type": "application/pdf"}), "not_html", "pdf"),
        (replies.DRIP, "unreachable", "within 0.7 s"),
        (replies.SLOW_HEAD, "unreachable", "within 0.7 s"),
        (replies.ENDLESS, "too_large", "larger than 2,000,000 bytes"),
        (replies.BOMB, "too_large", "times its size"),
        (replies.CUT_CHUNK, "unreachable", "peer closed connection"),
        (replies.CUT_GZIP, "unreachable", "cut off"),
        (replies.FALSE_GZIP, "unreachable", "decompressed"),
        (replies.BROTLI, "unreachable", "'br' was not asked for"),
        (replies.HANG_UP, "unreachable", "disconnected"),
    ],
)
def test_what_is_no_page_says_what_it_is(
    site: Site, reply: Reply, outcome: str, reason: str
) -> None:
    limits = replace(QUICK, total=0.7) if "within" in reason else QUICK
    found = one(site, reply, limits=limits)
    assert (found.outcome, found.body) == (outcome, b"")
    assert reason in found.reason


def test_a_bomb_is_refused_long_before_it_is_unpacked(site: Site) -> None:
    generous = replace(QUICK, max_bytes=500_000_000, total=20)
    assert one(site, replies.BOMB, limits=generous).outcome == "too_large"
    dense = "bread " * 200_000
    assert one(site, zipped(dense), limits=replace(QUICK, max_ratio=2000)).outcome == "page"
    assert one(site, zipped(dense), limits=QUICK).outcome == "too_large"


def test_errors_that_pass_are_asked_again_and_others_are_not(site: Site) -> None:
    assert one(site, Reply(status=500), PAGE).outcome == "page"
    assert len(site.paths()) == 2
    site.asked.clear()
    assert one(site, replies.CUT_CHUNK, PAGE).outcome == "page"
    site.asked.clear()
    for status in (403, 404, 400):
        assert one(site, Reply(status=status), PAGE).outcome != "page"
    assert len(site.paths()) == 3


def test_retry_after_is_waited_for_by_everybody(site: Site) -> None:
    busy = site.play("/busy", Reply(status=429, headers={"Retry-After": "1"}), PAGE)
    other = site.play("/other", PAGE)
    found = fetch(site, busy, other, limits=replace(QUICK, per_host=1))
    assert [page.outcome for page in found] == ["page", "page"]
    first = site.times("/busy")[0]
    assert min(site.times("/busy")[1], site.times("/other")[0]) - first >= 0.95


@pytest.mark.parametrize("form", ["number", "date"])
def test_a_long_retry_after_is_not_waited_for(site: Site, form: str) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    asked = {"Retry-After": "3600" if form == "number" else later}
    found = one(site, Reply(status=429, headers=asked), PAGE)
    assert (found.outcome, len(site.paths())) == ("blocked", 1)


def test_requests_to_a_host_keep_their_distance_and_their_number(site: Site) -> None:
    urls = [site.play(f"/page/{number}", PAGE) for number in range(4)]
    starts = Starts()
    fetch(site, *urls, limits=replace(QUICK, pace=0.1, per_host=2), budget=starts)
    assert len(starts.at) == 5
    assert all(later - sooner >= 0.099 for sooner, later in pairwise(starts.at))


def test_the_budget_is_taken_for_every_request_and_ends_them(site: Site) -> None:
    left = iter([True, True, True])
    urls = [site.play(f"/page/{number}", PAGE) for number in range(4)]
    found = fetch(site, *urls, budget=lambda host: next(left, False))
    assert sorted(page.outcome for page in found) == ["blocked", "blocked", "page", "page"]
    assert len(site.asked) == 3
    assert "used up" in next(page.reason for page in found if page.outcome == "blocked")


def test_an_unchanged_page_is_asked_for_by_its_validators(site: Site) -> None:
    page = Reply(PAGE, headers={"ETag": '"7"'})
    assert one(site, page, validators=Validators(etag='"7"')).outcome == "not_modified"
    assert one(site, page, validators=Validators(etag='"6"')).outcome == "page"
    assert one(site, page).outcome == "page"


def test_redirects_within_the_list_are_followed(site: Site) -> None:
    site.play("/new", redirect("https://www.jw.org/newer#p2", 308))
    site.play("/newer", PAGE)
    found = one(site, redirect("/new"))
    assert (found.outcome, found.final_url) == ("page", "https://www.jw.org/newer")
    assert found.hops == ("https://wol.jw.org/new", "https://www.jw.org/newer")
    assert [asked.host for asked in site.asked if asked.path == "/newer"] == ["www.jw.org"]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "target",
    [
        "https://example.com/page",
        "http://wol.jw.org/page",
        "https://wol.jw.org:8443/page",
        "https://user@wol.jw.org/page",
        "https://10.0.0.1/page",
        "https://127.0.0.1/page",
        "https://[::1]/page",
        "https://169.254.169.254/latest",
        "https://wol.jw.org.example.com/page",
        "file:///etc/passwd",
        "//example.com/page",
        "javascript:alert(1)",
    ],
)
def test_redirects_out_of_the_list_are_never_followed(site: Site, target: str) -> None:
    found = one(site, redirect(target))
    assert found.outcome == "moved_away"
    assert len(site.paths()) == 1


def test_redirects_that_go_in_circles_or_on_and_on_end(site: Site) -> None:
    site.play("/b", redirect("/en/page"))
    found = one(site, redirect("/b"))
    assert (found.outcome, found.reason) == ("unreachable", "its redirects go in a circle")
    assert one(site, redirect("/en/page")).outcome == "unreachable"
    for number in range(12):
        site.play(f"/{number}", redirect(f"/{number + 1}"))
    assert "more than 5 times" in one(site, redirect("/0")).reason


@pytest.mark.parametrize(
    "addresses",
    [["10.0.0.7"], ["192.168.1.1", "::1"], ["169.254.169.254"], ["::ffff:10.0.0.1"], []],
)
def test_a_listed_name_that_leads_to_a_private_address_is_not_connected_to(
    site: Site, addresses: Sequence[str]
) -> None:
    site.addresses["www.jw.org"] = [(address, site.port) for address in addresses]
    found = one(site, redirect("https://www.jw.org/page"))
    assert found.outcome == "unreachable"
    assert "not on the internet" in found.reason


def test_a_name_that_changes_its_mind_is_not_asked_again(site: Site) -> None:
    asked: list[str] = []

    async def changing(host: str) -> list[tuple[str, int]]:
        asked.append(host)
        return [("127.0.0.1", site.port)] if len(asked) == 1 else [("10.0.0.1", site.port)]

    urls = [site.play(f"/page/{number}", PAGE) for number in range(3)]
    found = fetch(site, *urls, network=replace(site.network(), resolve=changing))
    assert {page.outcome for page in found} == {"page"}
    assert asked == ["wol.jw.org"]


def test_hosts_off_the_list_are_never_asked(site: Site) -> None:
    (found,) = fetch(site, "https://example.com/page")
    assert found.outcome == "blocked"
    assert "not one of the hosts" in found.reason
    assert site.asked == []


def test_an_unknown_authority_or_a_wrong_name_is_no_page(site: Site) -> None:
    found = one(site, PAGE, network=site.network(trusting=False))
    assert found.outcome == "unreachable"
    assert "CERTIFICATE_VERIFY_FAILED" in found.reason
    assert site.asked == []
    with serving(Site(site.ca), "other.example") as misnamed:
        found = one(misnamed, PAGE)
    assert found.outcome == "unreachable"
    assert "CERTIFICATE_VERIFY_FAILED" in found.reason


def test_a_host_that_is_down_and_a_name_that_is_unknown_are_unreachable(site: Site) -> None:
    site.addresses["www.jw.org"] = [("127.0.0.1", 1)]
    assert fetch(site, "https://www.jw.org/page")[0].outcome == "unreachable"
    (found,) = fetch(site, "https://wol.jw.org/", network=replace(site.network(), resolve=_fail))
    assert "no such host" in found.reason


def test_the_next_address_is_tried_where_one_does_not_answer(site: Site) -> None:
    site.addresses["wol.jw.org"] = [("127.0.0.1", 1), ("127.0.0.1", site.port)]
    assert one(site, PAGE).outcome == "page"


async def _fail(host: str) -> Sequence[tuple[str, int]]:
    raise OSError(f"no such host: {host}")


def test_robots_txt_is_read_once_and_kept_to(site: Site) -> None:
    rules = "User-agent: *\nDisallow: /en/private\nDisallow: /*?secret\n"
    site.play("/robots.txt", Reply(rules, headers={"Content-Type": "text/plain"}))
    kept = site.play("/en/private/page", PAGE)
    wild = site.play("/en/page?secret=1", PAGE)
    free = site.play("/en/page", PAGE)
    found = fetch(site, kept, wild, free)
    assert [page.outcome for page in found] == ["blocked", "blocked", "page"]
    assert "robots.txt" in found[0].reason
    assert site.paths() == ["/en/page"]
    assert len(site.times("/robots.txt")) == 1


def test_a_redirect_into_what_robots_txt_forbids_is_not_followed(site: Site) -> None:
    site.play("/robots.txt", Reply("User-agent: *\nDisallow: /private\n"))
    assert one(site, redirect("/private/page")).outcome == "blocked"
    assert site.paths() == ["/en/page"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (Reply(status=404), "page"),
        (Reply(status=403), "page"),
        (Reply(status=500), "unreachable"),
        (Reply(status=429), "blocked"),
        (replies.DRIP, "unreachable"),
        (Reply(b"\xff\xfe\x00binary", headers={"Content-Type": "image/png"}), "page"),
    ],
)
def test_a_missing_robots_txt_allows_all_and_a_broken_one_nothing(
    site: Site, reply: Reply, outcome: str
) -> None:
    site.play("/robots.txt", reply)
    limits = replace(QUICK, total=0.7) if reply is replies.DRIP else QUICK
    assert one(site, PAGE, limits=limits).outcome == outcome


def test_a_crawl_delay_is_kept(site: Site) -> None:
    site.play("/robots.txt", Reply("User-agent: *\nCrawl-delay: 0.2\n"))
    urls = [site.play(f"/page/{number}", PAGE) for number in range(3)]
    starts = Starts()
    fetch(site, *urls, budget=starts)
    pages = starts.at[1:]
    assert all(later - sooner >= 0.199 for sooner, later in pairwise(pages))


def test_cookies_are_not_kept(site: Site) -> None:
    one(site, Reply(PAGE, headers={"Set-Cookie": "a=1"}))
    one(site, redirect("/next"), PAGE)
    assert all("cookie" not in asked.headers for asked in site.asked)


def test_gzip_in_two_members_is_read_up_to_its_first_end(site: Site) -> None:
    twice = gzip.compress(PAGE.encode()) + gzip.compress(b"more")
    assert one(site, Reply(twice, headers={"Content-Encoding": "gzip"})).outcome == "page"


def test_http_is_never_spoken_whoever_asks_for_it(site: Site) -> None:
    with serving_plainly(Site(site.ca)) as plain:
        plain.play("/en/page", PAGE)
        address = f"http://127.0.0.1:{plain.port}/en/page"
        assert one(site, redirect(address)).outcome == "moved_away"
        assert fetch(site, address)[0].outcome == "blocked"
        site.addresses["www.jw.org"] = [("127.0.0.1", plain.port)]
        assert fetch(site, "https://www.jw.org/en/page")[0].outcome == "unreachable"
        assert plain.asked == []
