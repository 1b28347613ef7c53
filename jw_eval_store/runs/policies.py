"""The policy that holds: the configured file, else the bundled one for the demonstration."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from jw_eval_store.config import Config
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.policies import LayerGate, Policy
from jw_eval_store.golden.policy_file import read_policy
from jw_eval_store.resources import bundled

if TYPE_CHECKING:
    from jw_eval_store.runs.request import RunRequest


def load_policy(config: Config, *, demonstration: bool) -> Policy:
    """The policy of the project, or of the demonstration; the specification's where none is set.

    Raises UsageError for a file that is missing or wrong.
    """
    path = bundled("seeds") / "policy.yaml" if demonstration else _configured(config)
    if path is None:
        return Policy()
    if not path.is_file():
        raise UsageError(f"the policy file {path} does not exist", hint="jw-eval config show")
    return read_policy(path)


def _configured(config: Config) -> Path | None:
    return Path(config.settings.policy) if config.settings.policy else None


def with_overrides(policy: Policy, request: RunRequest) -> Policy:
    """The policy with the bars that the request sets itself."""
    gates = dict(policy.gate)
    for layer in {*request.min_pass, *request.min_decided}:
        base = policy.gate_of(layer)
        gates[layer] = LayerGate(
            min_pass=request.min_pass.get(layer, base.min_pass),
            blocking=base.blocking or layer in request.min_pass,
            min_decided=request.min_decided.get(layer, base.min_decided),
        )
    return policy.model_copy(update={"gate": gates})
