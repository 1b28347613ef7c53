"""pytest plugin: golden cases as tests, where `--jw-eval` or `jw_eval = true` asks for them.

An installation must not slow other test suites down, so this module imports nothing but pytest;
all else is imported once golden cases are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from jw_eval_store.judges.embedders.interface import Embedder
    from jw_eval_store.runs.given import GivenAgent, GivenJudge

_LAYERS = {
    "l1": "structural golden cases",
    "l2": "golden cases of citations",
    "l3": "semantic golden cases",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, and the settings of the same names."""
    group = parser.getgroup("jw-eval", "golden cases of jw-eval")
    group.addoption("--jw-eval", action="store_true", help="run golden cases as tests")
    group.addoption("--jw-eval-bundled", action="store_true", help="run the bundled golden cases")
    group.addoption("--jw-eval-db", metavar="FILE", help="the database that results go to")
    parser.addini(
        "jw_eval", "run golden cases whenever no file is named", type="bool", default=False
    )


def pytest_configure(config: pytest.Config) -> None:
    """Know the markers; take part only where golden cases are asked for."""
    for layer, what in _LAYERS.items():
        config.addinivalue_line("markers", f"eval_{layer}: {what} (jw-eval)")
    if asked_for(config):
        from jw_eval_store.integrations.pytest_plugin.session import GoldenSession

        config.pluginmanager.register(GoldenSession(config), "jw-eval-session")


def asked_for(config: pytest.Config) -> bool:
    """By a flag always; by the setting where the command line names no file.

    A worker of pytest-xdist does what its controller does.
    """
    told = getattr(config, "workerinput", None)
    if told is not None:
        return "jw_eval_ticket" in told
    if config.option.jw_eval or config.option.jw_eval_bundled:
        return True
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    return bool(config.getini("jw_eval")) and not named


@pytest.fixture(scope="session")
def jw_eval_agents() -> dict[str, GivenAgent]:
    """Agents by name, used instead of the configured ones; override it in the root conftest.py."""
    return {}


@pytest.fixture(scope="session")
def jw_eval_judge() -> GivenJudge | None:
    """The judge used instead of the configured one: a client, or a function of the prompt."""
    return None


@pytest.fixture(scope="session")
def jw_eval_embedder() -> Embedder | None:
    """The embedder used instead of the configured one."""
    return None


@pytest.fixture(scope="session")
def jw_eval_run(
    request: pytest.FixtureRequest,
    jw_eval_agents: dict[str, GivenAgent],
    jw_eval_judge: GivenJudge | None,
    jw_eval_embedder: Embedder | None,
) -> Any:
    """The open run that this session's golden cases are judged in."""
    from jw_eval_store.runs.given import Given

    session = request.config.pluginmanager.get_plugin("jw-eval-session")
    if session is None:
        pytest.fail("jw_eval_run serves golden cases: use --jw-eval")
    with session.opened(Given(jw_eval_agents, jw_eval_judge, jw_eval_embedder)) as steps:
        yield steps
