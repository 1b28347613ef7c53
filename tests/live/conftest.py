"""A project whose cases cite pages of a site on loopback."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import trustme
import yaml

from jw_eval_store.config import Config, load_config
from jw_eval_store.domain.captures import CapturedPage
from jw_eval_store.domain.checks import PageCheck
from jw_eval_store.domain.reports import SuiteReport
from jw_eval_store.domain.selections import Selection
from jw_eval_store.pages.fetching.limits import Limits
from jw_eval_store.runs.capturing import build_snapshots
from jw_eval_store.runs.fetching import Web
from jw_eval_store.runs.live import run_live
from jw_eval_store.runs.live_check import check_snapshots
from jw_eval_store.runs.request import RunRequest
from jw_eval_store.store.checks import latest_checks
from jw_eval_store.store.connect import reading
from tests.fetching.site import Reply, Site, serving
from tests.live.pages import PageType

QUICK = Limits(
    max_bytes=2_000_000, connect=5, read=5, total=2.5, attempts=2, backoff=0.01, max_wait=1.5,
    pace=0, per_host=8,
)  # fmt: skip


@dataclass
class LiveProject:
    """A folder with cases; its pages are served by `site`."""

    root: Path
    site: Site
    limits: Limits = QUICK
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def web(self) -> Web:
        return Web(self.site.network(), self.limits)

    @property
    def config(self) -> Config:
        return load_config(self.root, environ={})

    def configure(self, more: str = "") -> None:
        (self.root / "jw-eval.toml").write_text(
            'cases = ["cases"]\nsnapshots = "snapshots"\nfetch_daily = 100000\n' + more
        )

    def case(
        self, case_id: str, url: str, *phrases: str, layer: str = "l2", language: str = "en"
    ) -> None:
        citation = {"url": url, **({"phrases": list(phrases)} if phrases else {})}
        case: dict[str, Any] = {
            "id": case_id,
            "agent": "answerer",
            "input": {"question": case_id, "language": language},
            "expected_citations": [citation],
        }
        if layer == "l3":
            case["golden_answer"] = "Bread is shared."
        folder = self.root / "cases" / layer
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{case_id}.yaml").write_text(yaml.safe_dump(case, allow_unicode=True))

    def page(self, kind: PageType, case_id: str, *replies: Reply | str) -> str:
        """Serve a page of this type, and a case that cites it; gives its fetch key."""
        self.case(case_id, kind.cited_url, kind.phrase, language=kind.language)
        self.site.play(kind.path, *(replies or (kind.html(),)))
        return kind.url.rstrip("/")

    def build(self, **how: Any) -> list[CapturedPage]:
        return build_snapshots(self.config, web=self.web, **how)

    def check(self, **how: Any) -> dict[str, PageCheck]:
        found = check_snapshots(self.config, web=self.web, **how)
        return {check.fetch_key: check for check in found.checks}

    def live(self, *case_ids: str, gate_live: bool = False, **how: Any) -> SuiteReport:
        request = RunRequest(selection=Selection(case_ids=case_ids), **how)
        return run_live(request, self.config, gate_live=gate_live, web=self.web)

    def latest(self) -> list[PageCheck]:
        with reading(self.root / ".jw-eval" / "results.db") as conn:
            return latest_checks(conn)

    def rows(self, sql: str) -> Sequence[tuple[Any, ...]]:
        with reading(self.root / ".jw-eval" / "results.db") as conn:
            return [tuple(row) for row in conn.execute(sql)]


@pytest.fixture(scope="session")
def ca() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def site(ca: trustme.CA) -> Iterator[Site]:
    with serving(Site(ca)) as served:
        yield served


@pytest.fixture
def project(tmp_path: Path, site: Site) -> LiveProject:
    made = LiveProject(tmp_path / "project", site)
    for name in ("cases", "snapshots"):
        (made.root / name).mkdir(parents=True)
    made.configure()
    return made
