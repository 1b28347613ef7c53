"""The check-up: every part of the set-up looked at, none of them raising."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from jw_eval_store.config import Config
from jw_eval_store.domain.errors import JwEvalError
from jw_eval_store.integrations.doctor import machine, models, project
from jw_eval_store.integrations.doctor.finding import Finding, broken

CHECKS: tuple[Callable[[Config], Iterator[Finding]], ...] = (
    machine.python,
    machine.sqlite,
    project.configuration,
    project.database,
    project.folders,
    project.agents,
    models.embedder,
    models.judge,
    models.cross_encoder,
)


def examine(config: Config) -> Iterator[Finding]:
    """Each finding as it is made. A check that fails by itself is a finding, too."""
    for check in CHECKS:
        try:
            yield from check(config)
        except JwEvalError as error:
            yield broken(check.__name__, error.message, error.hint or "")
        except Exception as fault:
            yield broken(check.__name__, f"the check failed: {type(fault).__name__}: {fault}", "")
