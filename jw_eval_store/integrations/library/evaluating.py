"""`evaluate`: one verdict on one answer, without a database."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jw_eval_store.config import Config
from jw_eval_store.domain.cases import CitationCase, SemanticCase, StructuralCase, parse_case
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.evaluations import LayerResult
from jw_eval_store.domain.evidence import ORIGINS, Evidence, Origin
from jw_eval_store.domain.inference import DEFAULT_KIND
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.domain.settings import EmbedderSettings, JudgeSettings, Settings
from jw_eval_store.integrations.library import arguments
from jw_eval_store.runs.given import Given, GivenJudge

if TYPE_CHECKING:
    from jw_eval_store.judges.embedders.interface import Embedder
    from jw_eval_store.runs.judging import SemanticLayer

Case = StructuralCase | CitationCase | SemanticCase


def evaluate(
    case: Case | Mapping[str, Any] | str | Path,
    answer: object,
    *,
    snapshots: str | Path | None = None,
    origins: Sequence[Origin] = ("captured", "imported"),
    judge: GivenJudge | None = None,
    embedder: Embedder | None = None,
    nli: str | None = None,
    nli_kind: str = DEFAULT_KIND,
) -> LayerResult:
    """The verdict of the case's layer on one answer; nothing is stored.

    `case` is a case, its JSON form, or the path of its YAML file. `answer` is what an agent
    returned (the toolkit's `AgentResult`, or a mapping of that shape), or a function, asynchronous
    or not, that is asked with the case's input. `snapshots` is the folder of stored pages that an
    L2 case is held against, `origins` says which of them count. `judge` and `embedder` serve an L3
    case; without them it is undecided (`error`), never passed. `nli` is the cross-encoder that may
    veto the judge's pass, `nli_kind` the kind of text, both as in [judge]; where none is given, it
    is the one that the variable JW_EVAL_NLI names.

    Raises UsageError for a case that is not valid, an answer of another shape, or another argument
    that is not of its kind.
    """
    from jw_eval_store.runs.judging import Tools, judge_output

    arguments.a_path("snapshots", snapshots, none=True)
    counted = arguments.listed("origins", origins)
    for origin in counted:
        arguments.one_of("an origin", origin, ORIGINS)
    arguments.able("judge", judge, "ask", "identity", function=True)
    arguments.able("embedder", embedder, "identity", "embed")
    arguments.a_text("nli", nli, none=True, blank=True)
    arguments.a_text("nli_kind", nli_kind)
    known = _case(case)
    output = _output(known, answer)
    if isinstance(output, LayerResult):
        return output
    evidence = _evidence(Path(snapshots)) if snapshots is not None else {}
    with ExitStack() as stack:
        semantic = None
        if isinstance(known, SemanticCase):
            settings = _judging(nli, nli_kind)
            semantic = _semantic(stack, settings, Given(judge=judge, embedder=embedder))
        return judge_output(known, output, evidence, Tools({}, {}, counted, semantic))


def _case(case: Case | Mapping[str, Any] | str | Path) -> Case:
    if isinstance(case, StructuralCase | CitationCase | SemanticCase):
        return case
    if isinstance(case, Mapping):
        return _parsed(case)
    from jw_eval_store.golden.reading import folder_layer, read_case

    arguments.a_path("case", case)
    path = Path(case)
    try:
        source = path.read_bytes()
    except OSError as error:
        raise UsageError(f"case file {path} cannot be read: {error.strerror}") from error
    read = read_case(str(path), source, folder_layer(path.absolute()))
    if isinstance(read, list):
        first = read[0]
        where = f"{first.path}:{first.line}" if first.line else first.path
        raise UsageError(f"{where}: {first.message}", hint=first.hint)
    return read.case


def _parsed(case: Mapping[str, Any]) -> Case:
    from pydantic import ValidationError

    try:
        return parse_case(dict(case))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise UsageError(f"the case is not valid: {where}: {first['msg']}") from error


def _output(case: Case, answer: object) -> AgentOutput | LayerResult:
    """The answer in the normal shape; a LayerResult where an agent did not give one."""
    from jw_eval_store.agents.interface import AgentCall
    from jw_eval_store.agents.normalise import BadOutputError, normalise
    from jw_eval_store.runs.given import given_agent
    from jw_eval_store.runs.judging import failed_call

    if callable(answer):
        agent = given_agent(case.agent, answer)
        try:
            reply = agent.call(AgentCall(case.id, case.input))
        finally:
            agent.close()
        bad = reply.error is not None or reply.output is None
        return failed_call(case, reply) if bad or reply.output is None else reply.output
    try:
        return normalise(answer)
    except BadOutputError as error:
        raise UsageError(f"the answer has not the shape of an agent's: {error}") from error


def _evidence(folder: Path) -> dict[str, Evidence]:
    from jw_eval_store.pages.reading import load_snapshots

    if not folder.is_dir():
        raise UsageError(f"the snapshots folder {folder} does not exist", hint="name another one")
    found, invalid = load_snapshots(folder)
    if invalid:
        raise UsageError(f"{invalid[0].path}: {invalid[0].message}", hint=invalid[0].hint)
    return {snapshot.entry.fetch_key: snapshot.evidence for snapshot in found}


def _judging(nli: str | None, kind: str) -> JudgeSettings:
    """No judge but the given one."""
    named = os.environ.get("JW_EVAL_NLI", "") if nli is None else nli
    return JudgeSettings(llm="none", nli=named.strip() or None, nli_kind=kind)


def _semantic(stack: ExitStack, judging: JudgeSettings, given: Given) -> SemanticLayer:
    """The semantic layer over a throw-away store, since its caches need one."""
    from tempfile import TemporaryDirectory

    from jw_eval_store.runs.semantic import open_semantic
    from jw_eval_store.store.connect import writing

    folder = Path(stack.enter_context(TemporaryDirectory(prefix="jw-eval-")))
    settings = Settings(
        db=str(folder / "results.db"),
        judge=judging,
        embedder=EmbedderSettings(backend="none"),
    )
    config = Config(settings, sources={}, root=Path.cwd())
    conn = stack.enter_context(writing(config.database))
    return stack.enter_context(open_semantic(conn, config, given=given))
