"""Which cases a run asks for. An empty part selects all; what matches nothing is an error."""

from __future__ import annotations

from jw_eval_store.domain.cases import Layer
from jw_eval_store.domain.values import Value


class Selection(Value):
    """Cases by layer, agent, language (BCP 47), id, topic and tag; parts are combined with AND."""

    layers: tuple[Layer, ...] = ("l1", "l2")
    agents: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    case_ids: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
