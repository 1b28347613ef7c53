"""Tell an outage from a poor answer: the toolkit's agents don't raise, they warn and return little.

Judging such an answer would call a network fault a regression.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.outputs import AgentOutput

FEW_FINDINGS = 2
"""With more findings than this, an answer is judged in spite of its warnings."""

_EXCEPTIONS = (
    r"\w*(?:Connect|Read|Write|Pool|Request)(?:Error|Timeout)\b",
    r"\w*(?:Connection|Network|Protocol|Proxy|SSL|URL|MaxRetry|Disconnected|Connector)Error\b",
    r"\w*Timeout(?:Error|Exception)\b",
    r"\bHTTPStatusError\b.*\b(?:429|5\d\d)\b",
    r"\bgaierror\b",
)
_ENGLISH = (
    r"connection (?:was )?(?:refused|reset|aborted|closed|failed|lost|error|timed out)",
    r"network (?:is )?(?:unreachable|down|error|failure|unavailable)",
    r"\btime(?:d[ -]?|-?)out\b",
    r"no route to host|host (?:is )?unreachable|server disconnected",
    r"name or service not known|name resolution|getaddrinfo|nodename nor servname",
    r"could not (?:connect|resolve|reach)|(?:failed|unable) to (?:connect|resolve|reach|fetch)",
    r"all connection attempts failed|cannot connect to host",
    r"service (?:is )?unavailable|bad gateway|gateway time-?out|too many requests",
    r"internal server error|certificate verify failed",
    r"\b(?:http|status|error)(?: code)?[ :=]*(?:429|5\d\d)\b",
)
_SPANISH = (
    r"sin conexi[oó]n|(?:error|fallo) (?:de|en la) (?:conexi[oó]n|red)",
    r"conexi[oó]n (?:rechazada|perdida|cerrada|interrumpida|fallida)",
    r"tiempo de espera|se agot[oó] el tiempo|red inaccesible|inalcanzable",
    r"no se pudo (?:conectar|contactar|acceder al servidor)|servicio no disponible",
)
_PORTUGUESE = (
    r"sem (?:conex[aã]o|liga[cç][aã]o)",
    r"(?:erro|falha) (?:de|na|em) (?:conex[aã]o|liga[cç][aã]o|rede)",
    r"conex[aã]o (?:recusada|perdida|encerrada|interrompida)",
    r"tempo (?:limite )?(?:esgotado|excedido)|tempo de espera|rede inacess[ií]vel",
    r"n[aã]o foi poss[ií]vel (?:conectar|ligar|contactar)|servi[cç]o indispon[ií]vel",
)


def outage(output: AgentOutput, patterns: Sequence[str] = ()) -> str | None:
    """The warning that reports an outage, where the answer is short (FEW_FINDINGS or fewer).

    `patterns` are regular expressions beside the built-in ones (English, Spanish, Portuguese,
    names of exception classes). None: judge the answer as it is.
    """
    if not output.warnings or len(output.findings) > FEW_FINDINGS:
        return None
    search = _compiled(tuple(patterns)).search
    return next((warning for warning in output.warnings if search(warning)), None)


def check_patterns(patterns: Iterable[str]) -> None:
    """Refuse what is no regular expression. Raises UsageError."""
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as exc:
            raise UsageError(
                f"outage_patterns = {pattern!r} is no regular expression: {exc}",
                hint="escape characters such as ( [ * + with a backslash",
            ) from exc


@lru_cache(maxsize=32)
def _compiled(patterns: tuple[str, ...]) -> re.Pattern[str]:
    known = (*_EXCEPTIONS, *_ENGLISH, *_SPANISH, *_PORTUGUESE)
    return re.compile("|".join(f"(?:{p})" for p in (*known, *patterns)), re.IGNORECASE)
