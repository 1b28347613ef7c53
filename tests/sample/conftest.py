"""Sample agents asked as the runner asks them, and the bundled cases."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from jw_eval_store.agents.normalise import normalise
from jw_eval_store.domain.cases import CitationCase, SemanticCase, StructuralCase
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.golden.folders import read_folder
from jw_eval_store.resources import bundled
from jw_eval_store.sample import AGENTS, RENAMES

Case = StructuralCase | CitationCase | SemanticCase
Ask = Callable[[str, Mapping[str, Any]], AgentOutput]


def ask_sample(agent: str, case_input: Mapping[str, Any]) -> AgentOutput:
    module, function = AGENTS[agent].split(":")
    renames = RENAMES.get(agent, {})
    arguments = {renames.get(key, key): value for key, value in case_input.items()}
    called = getattr(importlib.import_module(module), function)
    return normalise(asyncio.run(called(**arguments)))


def bundled_cases() -> dict[str, Case]:
    cases, refused = read_folder(bundled("seeds"))
    assert not refused, refused
    return {read.case.id: read.case for read in cases}


@pytest.fixture(scope="session")
def ask() -> Ask:
    """Ask a sample agent by name with a case's input."""
    return ask_sample


@pytest.fixture(scope="session")
def cases() -> dict[str, Case]:
    """The bundled cases by id."""
    return bundled_cases()


@pytest.fixture(scope="session")
def outputs(cases: dict[str, Case]) -> dict[str, AgentOutput]:
    """What the sample agents answer to each bundled case."""
    return {name: ask_sample(case.agent, case.input) for name, case in cases.items()}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`l1_case`, `l2_case` and `l3_case` stand for each bundled case of the layer."""
    for layer in ("l1", "l2", "l3"):
        if f"{layer}_case" in metafunc.fixturenames:
            chosen = [case for case in bundled_cases().values() if case.layer == layer]
            metafunc.parametrize(f"{layer}_case", chosen, ids=[case.id for case in chosen])
