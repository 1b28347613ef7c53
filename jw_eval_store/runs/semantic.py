"""The semantic layer of a run: embedder, profile, guard and judges, opened once, closed at its end.

Whatever can't be had (no embedder, no judge) leaves cases undecided and is said; it never ends the
run, and never passes anything.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any

from jw_eval_store.config import Config
from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.errors import JwEvalError
from jw_eval_store.domain.evaluations import LayerResult
from jw_eval_store.domain.judging import JudgeSpec
from jw_eval_store.domain.matching import EmbedderIdentity, ThresholdProfile
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.judges.asking import Asker
from jw_eval_store.judges.embedders.cache import CachedEmbedder
from jw_eval_store.judges.errors import JudgeError
from jw_eval_store.judges.factory import make_asker, make_client, make_judge
from jw_eval_store.judges.inference.reader import UnavailableReader
from jw_eval_store.judges.judge import Judge
from jw_eval_store.judges.judgement import Judgement, JudgeVerdict
from jw_eval_store.judges.profiles import shipped_profile
from jw_eval_store.judges.sentences import SentenceComparer
from jw_eval_store.judges.word_guard import WordGuard
from jw_eval_store.layers import semantic
from jw_eval_store.layers.semantic_tools import SemanticTools
from jw_eval_store.runs.embedding_cache import open_embedder
from jw_eval_store.runs.given import Given
from jw_eval_store.runs.graph_files import files_of_graphs
from jw_eval_store.runs.inferring import open_reader
from jw_eval_store.runs.reply_cache import StoreReplies
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.profiles import newest_profile
from jw_eval_store.store.setups import Identity


@dataclass(frozen=True)
class SemanticIdentity:
    """What L3 verdicts depend on beside case, agent and evidence."""

    layer_version: str
    embedder: Identity | None
    judge: Identity | None
    settings: Mapping[str, Any]


@dataclass
class Semantic:
    """The layer with its tools. One judge per way of judging that cases ask for."""

    config: Config
    tools: SemanticTools
    asker: Asker | None
    guard: WordGuard
    notices: tuple[str, ...] = ()
    graph_files: Mapping[str, Path] = field(default_factory=dict)
    _judges: dict[str, Judge | str] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def evaluate(self, case: SemanticCase, output: AgentOutput, repeat: int = 0) -> LayerResult:
        """The verdict on one output; may be called by several threads.

        Another `repeat` asks the judge anew, with another seed.
        """
        judge = _Repeat(self, repeat) if self.asker else None
        return semantic.evaluate(case, output, replace(self.tools, judge=judge))

    def judge(
        self,
        case: SemanticCase,
        output: AgentOutput,
        similarity: Callable[[], float] | None,
        repeat: int = 0,
    ) -> JudgeVerdict:
        """What the model says, asked as the case wants it; its details say how it was decided."""
        spec = self.spec_of(case)
        judge = self._judge_for(spec)
        if isinstance(judge, str):
            problem = {"judge": {"problem": judge}}
            return JudgeVerdict(None, reasons=(judge,), reason_code="no_judge", details=problem)
        said = judge(judgement_of(case, output, similarity), repeat)
        decided = {"strategy": spec.strategy, "pass_at": spec.pass_at, "score": said.score}
        soft = {} if said.soft_score is None else {"soft_score": said.soft_score}
        return replace(said, details={**said.details, "judge": decided | soft})

    def spec_of(self, case: SemanticCase) -> JudgeSpec:
        """How a case wants to be judged, with its graph's file where it stands beside the case."""
        file = self.graph_files.get(case.id)
        return case.judge if file is None else case.judge.model_copy(update={"graph": str(file)})

    def identity_for(self, spec: JudgeSpec) -> SemanticIdentity:
        """What verdicts on cases with this judge depend on."""
        comparer, profile = self.tools.comparer, self.tools.profile
        entailment = self.tools.entailment
        return SemanticIdentity(
            semantic.LAYER_VERSION,
            _embedder_identity(comparer.identity) if comparer else None,
            self._judge_identity(spec),
            {
                "guard": self.guard.identity_hash,
                "profile": profile.profile_hash if profile else None,
                "entailment": dict(entailment.identity) if entailment else None,
            },
        )

    def _judge_identity(self, spec: JudgeSpec) -> Identity | None:
        judge = self._judge_for(spec) if self.asker else None
        if judge is None:
            return None
        if isinstance(judge, str):
            return Identity("unsound judge", {"error": judge})
        return Identity(judge.label, judge.identity())

    def _judge_for(self, spec: JudgeSpec) -> Judge | str:
        """The judge, or why there is none: a graph that is missing or not sound."""
        key = spec.model_dump_json()
        with self._lock:
            if key not in self._judges:
                self._judges[key] = self._made(spec)
            return self._judges[key]

    def _made(self, spec: JudgeSpec) -> Judge | str:
        if self.asker is None:
            return "no judge is set"
        try:
            return make_judge(spec, self.asker, self.config.settings.judge, self.config.root)
        except JwEvalError as error:
            return str(error)

    @property
    def embedder_label(self) -> str | None:
        """For reports."""
        return self.tools.comparer.identity.label if self.tools.comparer else None

    @property
    def judge_label(self) -> str | None:
        """For reports."""
        if self.asker is None:
            return None
        client = self.asker.client
        return "/".join(part for part in (client.name, client.model) if part)


@dataclass(frozen=True)
class _Repeat:
    """The judge of one repeat, as the layer sees it."""

    semantic: Semantic
    repeat: int

    def judge(
        self, case: SemanticCase, output: AgentOutput, similarity: Callable[[], float] | None
    ) -> JudgeVerdict:
        """What the model says this time."""
        return self.semantic.judge(case, output, similarity, self.repeat)


def judgement_of(
    case: SemanticCase, output: AgentOutput, similarity: Callable[[], float] | None
) -> Judgement:
    """What a judge is shown of a case and an output."""
    asked = [value for key, value in case.input.items() if key != "language"]
    expected = case.expected
    return Judgement(
        case_id=case.id,
        language=case.language,
        golden_answer=expected.golden_answer,
        candidate=output.answer(),
        question="; ".join(str(value) for value in asked),
        keywords_any=expected.expected_keywords_any,
        keywords_none=expected.expected_keywords_none,
        expected_citations=tuple(c.url for c in expected.expected_citations),
        cited=tuple(f.citation.url for f in output.findings if f.citation.url),
        findings=len(output.findings),
        similarity=similarity,
    )


@contextmanager
def open_semantic(
    conn: Connection, config: Config, *, fresh: bool = False, given: Given | None = None
) -> Iterator[Semantic]:
    """The semantic layer as given, else as configured.

    `fresh` asks judges anew, whatever the cache holds.
    """
    given = given or Given()
    notices: list[str] = []
    with ExitStack() as stack:
        embedder = _embedder(stack, config, notices, given)
        asker = _asker(stack, config, notices, fresh, given)
        guard, entailment = WordGuard(), open_reader(conn, config.settings.judge)
        if isinstance(entailment, UnavailableReader):
            notices.append(f"no cross-encoder: {entailment.problem}")
        tools = SemanticTools(
            guard=guard,
            comparer=SentenceComparer(embedder) if embedder else None,
            profile=_profile(conn, embedder.identity) if embedder else None,
            entailment=entailment,
        )
        yield Semantic(config, tools, asker, guard, tuple(notices), files_of_graphs(conn))


def _embedder(
    stack: ExitStack, config: Config, notices: list[str], given: Given
) -> CachedEmbedder | None:
    settings = config.settings.embedder
    try:
        embedder = stack.enter_context(open_embedder(settings, config.database, given.embedder))
        if embedder is not None:
            _ = embedder.identity
    except JwEvalError as error:
        notices.append(f"no embedder: {error}")
        return None
    return embedder


def _asker(
    stack: ExitStack, config: Config, notices: list[str], fresh: bool, given: Given
) -> Asker | None:
    settings = config.settings.judge
    if brought := given.client:
        return make_asker(brought, settings, fresh=True)
    if settings.llm == "none":
        return None
    try:
        client = stack.enter_context(make_client(settings, os.environ))
    except JwEvalError as error:
        notices.append(f"no judge: {error}")
        return None
    asker = make_asker(client, settings, cache=StoreReplies(config.database), fresh=fresh)
    with suppress(JudgeError):  # who it is, is asked now: planning holds the database's write lock
        asker.identity()
    return asker


def _profile(conn: Connection, identity: EmbedderIdentity) -> ThresholdProfile | None:
    """The user's own calibration, else the one shipped for exactly this embedder."""
    return newest_profile(conn, identity) or shipped_profile(identity)


def _embedder_identity(identity: EmbedderIdentity) -> Identity:
    return Identity(identity.label, identity.model_dump(mode="json"))
