"""An outage that the agent swallowed is told from a poor answer."""

from __future__ import annotations

import pytest

from jw_eval_store.agents.outage import check_patterns, outage
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.outputs import AgentOutput, Finding


def output(*warnings: str, findings: int = 0) -> AgentOutput:
    return AgentOutput(
        warnings=warnings, findings=tuple(Finding(text="t") for _ in range(findings))
    )


@pytest.mark.parametrize(
    "warning",
    [
        "search failed: ConnectError('[Errno -2] Name or service not known')",
        "httpx.ConnectTimeout",
        "topic index: All connection attempts failed",
        "Request timed out after 10 s",
        "HTTPStatusError: Server error '503 Service Unavailable' for url",
        "HTTP 502",
        "[Errno 111] Connection refused",
        "Temporary failure in name resolution",
        "aiohttp.client_exceptions.ClientConnectorError: Cannot connect to host",
        "No se pudo conectar con wol.jw.org",
        "Error de conexión al buscar",
        "Se agotó el tiempo de espera",
        "Não foi possível conectar ao servidor",
        "Erro de rede",
        "Tempo limite excedido",
    ],
)
def test_network_words_and_exception_names_are_an_outage(warning: str) -> None:
    assert outage(output("harmless", warning)) == warning


@pytest.mark.parametrize(
    "warning",
    [
        "no topic found for this question",
        "404 Not Found: the publication has no study notes",
        "the connection between these verses is uncertain",
        "La conexión entre los textos no es clara",
        "this network of references was cut to 500 entries",
        "a rede de referências foi reduzida",
        "deprecated parameter language",
    ],
)
def test_other_warnings_are_judged(warning: str) -> None:
    assert outage(output(warning)) is None


def test_a_full_answer_is_judged_in_spite_of_the_warning() -> None:
    assert outage(output("ConnectError: x", findings=2)) is not None
    assert outage(output("ConnectError: x", findings=3)) is None


def test_further_patterns_can_be_configured() -> None:
    assert outage(output("Wartung am Server")) is None
    assert outage(output("Wartung am Server"), [r"wartung"]) == "Wartung am Server"


def test_a_pattern_that_is_no_regular_expression_is_refused() -> None:
    with pytest.raises(UsageError, match="no regular expression"):
        check_patterns(["("])
