"""Build what evaluations share: a setup per agent and layer, from agents, judge and policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jw_eval_store.domain.cases import Layer
from jw_eval_store.domain.policies import Policy
from jw_eval_store.layers import citations, structural
from jw_eval_store.store.setups import SetupParts, StoredFingerprint

if TYPE_CHECKING:
    from jw_eval_store.runs.semantic import SemanticIdentity


def setup_for(
    agent: str,
    fingerprint: StoredFingerprint | None,
    layer: Layer,
    policy: Policy,
    semantic: SemanticIdentity | None,
) -> SetupParts:
    """The setup of an agent's cases at a layer. A fingerprint of none: unknown, always stale."""
    if layer == "l1":
        return SetupParts(agent, layer, structural.LAYER_VERSION, fingerprint)
    origins: dict[str, Any] = {"origins": sorted(policy.origins)}
    if layer == "l2":
        version = citations.LAYER_VERSION
        return SetupParts(agent, layer, version, fingerprint, settings=origins)
    if semantic is None:
        raise ValueError("an L3 case needs the semantic layer's identity")
    return SetupParts(
        agent,
        layer,
        semantic.layer_version,
        fingerprint,
        embedder=semantic.embedder,
        judge=semantic.judge,
        settings=origins | dict(semantic.settings),
    )
