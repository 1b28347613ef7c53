"""`cases lint`: from files without a database, else from the registry."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from jw_eval_store.config import Config
from jw_eval_store.domain.cases import LAYERS, SemanticCase
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.domain.reports import InvalidFile
from jw_eval_store.domain.selections import Selection
from jw_eval_store.golden.folders import files_of, read_files
from jw_eval_store.golden.lint import LintFinding, lint
from jw_eval_store.golden.reading import ReadCase
from jw_eval_store.golden.rules.interface import Ages, Similar
from jw_eval_store.resources import bundled
from jw_eval_store.runs.registry.opening import opened
from jw_eval_store.store.cases import load_cases, select_cases, source_of

if TYPE_CHECKING:
    from jw_eval_store.pages.reading import StoredSnapshot


@dataclass(frozen=True)
class LintReport:
    """What lint found in how many cases, and the files that could not even be read.

    `notes` are what it left unchecked.
    """

    checked: int
    findings: Sequence[LintFinding]
    invalid: Sequence[InvalidFile] = field(default=())
    notes: Sequence[str] = field(default=())

    @property
    def errors(self) -> int:
        """How many findings are errors, refused files included."""
        return len(self.invalid) + sum(f.severity == "error" for f in self.findings)


def lint_cases(
    config: Config,
    paths: Sequence[Path] = (),
    *,
    demonstration: bool = False,
    max_age: int | None = None,
) -> LintReport:
    """Lint these files and folders; default: the configured folders, or the registry without one.

    Evidence is that of the configured snapshots, agents are those that can be named: both are
    looked at only where there is a configuration. `max_age` is the greatest age in days of evidence
    and recordings; recordings are the configured folder's, else the registry's. Neither database
    nor network is used for files. Raises EmptySelectionError where there is nothing to lint.
    """
    named = [*paths] or _folders(config, demonstration)
    reads, invalid = read_files(files_of(named)) if named else (_registered(config), [])
    if not reads and not invalid:
        raise EmptySelectionError("there is no case to lint", hint="jw-eval cases add")
    snapshots = _snapshots(config, demonstration)
    evidence = None if snapshots is None else {s.entry.fetch_key: s.evidence for s in snapshots}
    similar, notes = _similar(config, reads)
    findings = lint(
        reads,
        evidence=evidence,
        agents=_agents(config, demonstration),
        graph_problems=graph_problems,
        similar=similar,
        ages=None if max_age is None else _ages(max_age, snapshots or (), _recorded(config, named)),
    )
    return LintReport(len(reads), findings, invalid, notes)


def _folders(config: Config, demonstration: bool) -> list[Path]:
    return [bundled("seeds")] if demonstration else [Path(name) for name in config.settings.cases]


def _registered(config: Config) -> list[ReadCase]:
    """The registry's own cases, as if they had been read from files."""
    with opened(config) as registry:
        rows = select_cases(registry.conn, Selection(layers=LAYERS), bundled=False)
        cases = load_cases(registry.conn, [row.revision for row in rows])
        return [
            ReadCase(cases[row.revision], source_of(registry.conn, row.revision).encode())
            for row in rows
        ]


def _snapshots(config: Config, demonstration: bool) -> Sequence[StoredSnapshot] | None:
    from jw_eval_store.pages.reading import load_snapshots

    folder = bundled("snapshots") if demonstration else config.settings.snapshots
    if folder is None or not Path(folder).is_dir():
        return None
    return tuple(load_snapshots(Path(folder))[0])


def _ages(
    greatest: int, snapshots: Sequence[StoredSnapshot], recorded: Mapping[tuple[str, str], str]
) -> Ages:
    return Ages(
        greatest,
        {s.entry.fetch_key: _days(s.entry.captured_at) for s in snapshots},
        {owner: _days(datetime.fromisoformat(moment)) for owner, moment in recorded.items()},
    )


def _days(moment: datetime) -> int:
    return (datetime.now(UTC) - moment).days


def _recorded(config: Config, named: Sequence[Path]) -> Mapping[tuple[str, str], str]:
    """When agents were recorded, by case id and agent: of files, and only else of the registry."""
    folder = config.settings.recordings
    if folder is not None and Path(folder).is_dir():
        from jw_eval_store.runs.recording_files import recording_moments

        return recording_moments(Path(folder))
    if named or not config.database.exists():
        return {}
    from jw_eval_store.runs.recordings import all_recordings

    rows = [aged.row for aged in all_recordings(config)]
    return {(row.case_id, row.agent): row.recorded_at for row in rows}


def _agents(config: Config, demonstration: bool) -> Collection[str] | None:
    """Names of the agents; none where there is no configuration that could name them."""
    if config.file is None and not demonstration:
        return None
    from jw_eval_store.runs.agents import list_agents

    return [agent.name for agent in list_agents(config, demonstration=demonstration)]


def _similar(config: Config, reads: Sequence[ReadCase]) -> tuple[Similar | None, list[str]]:
    """Compares golden answers, imported only where there are several; and what is not compared."""
    answers = sum(isinstance(read.case, SemanticCase) for read in reads)
    if answers < 2:
        return None, []
    from jw_eval_store.runs.registry.duplicates import duplicate_finder, uncompared

    finder, note = duplicate_finder(config), uncompared(answers)
    return finder, [note] if finder and note else []


def graph_problems(case: SemanticCase, path: str) -> list[str]:
    """What is not sound about a case's judge graph; a graph's file stands beside the case's."""
    from jw_eval_store.domain.settings import JudgeSettings
    from jw_eval_store.judges.factory import make_strategy

    try:
        make_strategy(case.judge, JudgeSettings(), Path(path).parent)
    except UsageError as error:
        return [error.message]
    return []
