"""The specification's rule that a new feature brings new cases, held against a git revision."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from jw_eval_store.config import Config
from jw_eval_store.domain.coverage import CoverageRow
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.policies import Policy
from jw_eval_store.golden.folders import is_case_file
from jw_eval_store.golden.reading import ReadCase, folder_layer, read_case
from jw_eval_store.runs import git
from jw_eval_store.runs.touched import touched_agents
from jw_eval_store.store.coverage import CoveredCase, substance

ANY_AGENT = "(any)"
_ID = re.compile(rb"""^id:\s*["']?([^\s"'#]+)""", re.MULTILINE)
"""What a file that was refused at the revision calls its case: mending it makes no new one."""


@dataclass(frozen=True)
class _Old:
    """What was there at the revision: ids, and substances (a renamed case is not new)."""

    ids: frozenset[str]
    substances: frozenset[str]

    def has(self, case: CoveredCase) -> bool:
        return case.case_id in self.ids or case.substance in self.substances


def new_case_rows(
    cases: Sequence[CoveredCase],
    policy: Policy,
    config: Config,
    agents: Sequence[str],
    since: str | None,
) -> list[CoverageRow]:
    """A row per agent asked for, else per agent touched: one with new or edited cases, or code.

    The new cases of a touched agent must be L1 + L2 + as many more as the policy's `new_cases`
    says; another agent owes none, unless it was asked for and its code is not to be found here.
    Raises UsageError for a revision that git doesn't know, or where no folder of cases is
    configured.
    """
    if since is None:
        return []
    revision = _revision(config, since)
    old = _old_cases(config, revision)
    new = [case for case in cases if not old.has(case)]
    code = touched_agents(config, revision)
    owing = {case.agent for case in cases if case.substance not in old.substances}
    owing |= {name for name, touched in code.items() if touched}
    owing |= {name for name in agents if code.get(name) is None}
    rows = [
        _row(agent, [case for case in new if case.agent == agent], policy, since)
        for agent in agents or sorted(owing)
        if agent in owing
    ]
    idle = [agent for agent in agents or (() if rows else (ANY_AGENT,)) if agent not in owing]
    return rows + [_owes_nothing(agent, since) for agent in idle]


def _owes_nothing(agent: str, since: str) -> CoverageRow:
    what = f"since {since}: neither its code nor its cases changed"
    if agent == ANY_AGENT:
        what = f"since {since}: no agent's code or cases changed"
    return CoverageRow(agent=agent, kind="new", what=what, required=0, present=0, passing=0)


def _row(agent: str, new: Sequence[CoveredCase], policy: Policy, since: str) -> CoverageRow:
    layers = Counter(case.layer for case in new)
    required = policy.new_cases
    lacking = [layer.upper() for layer in ("l1", "l2")[:required] if not layers[layer]]
    present = min(len(new), required - len(lacking)) if lacking else len(new)
    needs = f" with {' and '.join(lacking)}" if lacking else ""
    return CoverageRow(
        agent=agent,
        kind="new",
        what=f"since {since}{needs}",
        required=required,
        present=max(0, present),
        passing=sum(case.last_verdict == "pass" for case in new),
        command=f"jw-eval cases add --agent {agent}" if present < required else "",
    )


def _revision(config: Config, since: str) -> str:
    if not config.settings.cases:
        raise UsageError(
            "--new-since compares the YAML files of the cases, and no folder is configured",
            hint="set `cases` in the configuration (jw-eval init)",
        )
    revision = git.resolve(config.root, since)
    if revision is None:
        raise UsageError(
            f"git knows no revision {since!r} in {config.root}",
            hint="fetch it first: in CI, check out with the whole history",
        )
    return revision


def _old_cases(config: Config, revision: str) -> _Old:
    """Those of the configured folders, and of files that are gone: folders move, too."""
    ids: set[str] = set()
    substances: set[str] = set()
    found = [git.files_at(folder, revision, Path()) for folder in map(Path, config.settings.cases)]
    names = {
        name for one in (*found, git.deleted_since(config.root, revision)) for name in one or ()
    }
    wanted = sorted(name for name in names if is_case_file(PurePosixPath(name).name))
    for name, source in git.contents_at(config.root, revision, wanted).items():
        read = read_case(name, source, folder_layer(PurePosixPath(name)))
        if isinstance(read, ReadCase):
            ids.add(read.case.id)
            substances.add(substance(read.case.definition()))
        else:
            ids.update(one.decode(errors="replace") for one in _ID.findall(source))
    return _Old(frozenset(ids), frozenset(substances))
