"""Look at cited pages on the live site, and store what each look found as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ulid import ULID

from jw_eval_store.config import Config
from jw_eval_store.domain.checks import PageCheck
from jw_eval_store.domain.reports import InvalidFile
from jw_eval_store.domain.selections import Selection
from jw_eval_store.pages.comparing.decide import Finding, check_page, whole_check
from jw_eval_store.pages.fetching.results import Fetched, Validators
from jw_eval_store.runs.cited import CitedPage, known_page, pages_selected
from jw_eval_store.runs.fetching import Web, fetch_all
from jw_eval_store.runs.workspace import sync_workspace
from jw_eval_store.store.checks import put_check
from jw_eval_store.store.connect import Connection, now, transaction, writing
from jw_eval_store.store.snapshots import current_snapshot
from jw_eval_store.text.urls import parse_url

Progress = Callable[[int, int], None]

CITING_LAYERS = Selection(layers=("l2", "l3"))
"""The cases that cite pages."""


@dataclass(frozen=True)
class LiveCheck:
    """What a check found: a ULID, a look at each page by fetch key, and files that were refused."""

    ulid: str
    started_at: str
    checks: tuple[PageCheck, ...]
    invalid: tuple[InvalidFile, ...] = ()

    @property
    def exit_code(self) -> int:
        """1 for a problem, 2 for an invalid file, 3 where a page could not be decided."""
        if self.invalid:
            return 2
        if any(check.problem for check in self.checks):
            return 1
        return 3 if any(check.undecided for check in self.checks) else 0


def check_snapshots(
    config: Config,
    selection: Selection = CITING_LAYERS,
    *,
    demonstration: bool = False,
    progress: Progress = lambda done, total: None,
    web: Web | None = None,
) -> LiveCheck:
    """Look at every page that selected cases cite. Raises EmptySelectionError for none."""
    with writing(config.database) as conn:
        synced = sync_workspace(conn, config, demonstration=demonstration)
        both = config.settings.samples and not demonstration
        pages = pages_selected(conn, selection, bundled=None if both else demonstration)
        check = look_at(conn, config, pages, progress=progress, web=web)
        return LiveCheck(check.ulid, check.started_at, check.checks, tuple(synced.invalid))


def look_at(
    conn: Connection,
    config: Config,
    pages: Sequence[CitedPage],
    *,
    progress: Progress = lambda done, total: None,
    web: Web | None = None,
) -> LiveCheck:
    """Look at these pages: one request each, however many cases cite it."""
    looking = _Looking(conn, config, {page.fetch_key: page for page in pages}, progress)
    fetch_all(conn, config, looking.asks(), looking.took, web)
    ordered = sorted(looking.found, key=lambda check: check.fetch_key)
    return LiveCheck(looking.ulid, looking.started_at, tuple(ordered))


class _Looking:
    """One check as it goes on."""

    def __init__(
        self, conn: Connection, config: Config, pages: dict[str, CitedPage], progress: Progress
    ) -> None:
        self.ulid, self.started_at = str(ULID()), now()
        self.found: list[PageCheck] = []
        self._conn, self._config, self._pages, self._progress = conn, config, pages, progress
        self._rows = {key: current_snapshot(conn, key) for key in pages}

    def asks(self) -> Iterator[tuple[str, Validators]]:
        """What to fetch; pages with authored evidence are not, as it is no state of a page."""
        for key, page in self._pages.items():
            known = known_page(self._rows[key])
            if known is None or known.is_of_the_site:
                yield page.fetch_url, known.validators(page.cited) if known else Validators()
            else:
                self._put(key, whole_check(key, _AUTHORED, page.cited, at=now()))

    def took(self, fetched: Fetched) -> None:
        """Compare and store one page that came."""
        key = parse_url(fetched.url).fetch_key
        check = check_page(
            key,
            fetched,
            known_page(self._rows[key]),
            self._pages[key].cited,
            at=now(),
            structure=self._config.settings.structure_changes,
        )
        self._put(key, check)

    def _put(self, key: str, check: PageCheck) -> None:
        row = self._rows[key]
        with transaction(self._conn):
            put_check(self._conn, self.ulid, check, snapshot=row.key if row else None)
        self.found.append(check)
        self._progress(len(self.found), len(self._pages))


_AUTHORED = Finding(
    "uncompared",
    reasons=("its evidence is authored, no state of the page: jw-eval snapshots build --missing",),
)
