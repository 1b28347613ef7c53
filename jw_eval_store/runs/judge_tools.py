"""Choose the judge, try it out (`judge check`), and look at a graph (`judge show`)."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Literal

from jw_eval_store.config import Config
from jw_eval_store.domain.errors import JwEvalError
from jw_eval_store.judges.checking import check_client
from jw_eval_store.judges.factory import make_client
from jw_eval_store.judges.interface import ClientCheck, ClientIdentity
from jw_eval_store.judges.strategies.graph.draw import mermaid, tree
from jw_eval_store.judges.strategies.graph.load import find_graph

Llm = Literal["ollama", "openai", "claude", "none"]


def check_judge(config: Config) -> ClientCheck:
    """Ask the configured judge who it is, and one small question. Never raises for what it does."""
    settings = config.settings.judge
    nobody = ClientIdentity(settings.llm, settings.model or "")
    if settings.llm == "none":
        lines = ("no judge is set (llm = none)", "next: set JW_EVAL_LLM to ollama or another one")
        return ClientCheck(False, nobody, lines)
    try:
        with make_client(settings, os.environ) as client:
            return check_client(client)
    except JwEvalError as error:
        return ClientCheck(False, nobody, tuple(str(error).splitlines()))


def graph_drawing(
    name: str, *, as_mermaid: bool = False, language: str = "en", folder: Path | None = None
) -> str:
    """A ready-made graph, or one in a file, as a tree or as Mermaid. Raises UsageError."""
    graph = find_graph(name, folder)
    return mermaid(graph, language) if as_mermaid else tree(graph, language)


def with_judge(
    config: Config, llm: Llm | None, model: str | None = None, url: str | None = None
) -> Config:
    """The configuration with another judge.

    Model and URL in configuration files belong to the judge that stands beside them: another one
    gets those of variables and flags only.
    """
    judge = config.settings.judge
    asked: dict[str, str | None] = {"llm": llm or judge.llm}
    for key, given in (("model", model), ("url", url)):
        source = config.sources.get(f"judge.{key}", "")
        kept = llm in (None, judge.llm) or source.startswith("variable")
        asked[key] = given or (getattr(judge, key) if kept else None)
    settings = config.settings.model_copy(update={"judge": judge.model_copy(update=asked)})
    return replace(config, settings=settings)
