"""Asking a model so that the answer can be relied on: cache, budget, retries, validation.

One `Asker` serves a whole run and its threads; it knows nothing of cases or strategies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Generic, TypeVar

from jw_eval_store.judges.answers import Answer
from jw_eval_store.judges.budget import Budget
from jw_eval_store.judges.errors import (
    JudgeCutError,
    JudgeError,
    JudgeMalformedError,
    JudgeUnreachableError,
)
from jw_eval_store.judges.interface import (
    ClientIdentity,
    LlmClient,
    LlmReply,
    LlmRequest,
    Message,
    ReplyCache,
    reply_key,
)
from jw_eval_store.judges.prompts import load_prompt
from jw_eval_store.judges.prompts.framing import harmless
from jw_eval_store.judges.replies import InvalidReplyError, read_answer
from jw_eval_store.judges.retrying import RetryPolicy

AnswerT = TypeVar("AnswerT", bound=Answer)
ResultT = TypeVar("ResultT")

OUTAGES_UNTIL_DOWN = 3
"""Failures in a row after which a run asks no more: each would cost a time-out."""

_QUOTED = 2000


class MemoryCache:
    """Replies of this process, for runs without a database and for tests."""

    def __init__(self) -> None:
        self._bodies: dict[str, Mapping[str, Any]] = {}

    def get(self, key: str) -> Mapping[str, Any] | None:
        """The stored body, if there is one."""
        return self._bodies.get(key)

    def put(self, key: str, body: Mapping[str, Any]) -> None:
        """Store a body; the first one stays."""
        self._bodies.setdefault(key, body)


@dataclass(frozen=True)
class Asked(Generic[AnswerT]):
    """A valid answer with the reply it was read from; `mended`: what was wrong with the first."""

    answer: AnswerT
    reply: LlmReply
    mended: str | None = None


class Asker:
    """Asks one client. `fresh`: replies are not read from the cache, only written to it."""

    def __init__(
        self,
        client: LlmClient,
        *,
        cache: ReplyCache | None = None,
        run_budget: Budget | None = None,
        retries: RetryPolicy | None = None,
        fresh: bool = False,
    ) -> None:
        self.client = client
        self.run_budget = run_budget or Budget("run")
        self._cache: ReplyCache = MemoryCache() if cache is None else cache
        self._retries = retries or RetryPolicy()
        self._fresh = fresh
        self._outages = 0
        self._outage = ""
        self._identifying, self._counting, self._lasting = Lock(), Lock(), Lock()
        self._definitions = MemoryCache()
        self._identity: ClientIdentity | None = None

    def identity(self) -> ClientIdentity:
        """Who answers, asked once per run. Raises JudgeUnreachableError."""
        with self._identifying:
            if self._identity is None:
                self._identity = self._guarded(lambda: self._retries.call(self.client.identity))
            return self._identity

    def ask(
        self,
        request: LlmRequest,
        kind: type[AnswerT],
        case_budget: Budget,
        *,
        language: str = "en",
        lasting: bool = False,
    ) -> Asked[AnswerT]:
        """A valid answer, after one re-ask if need be. Raises JudgeError.

        `lasting`: the answer is part of the judge itself, such as a check list. It is asked for
        once, by one thread, and a stored one is used even if `fresh`.
        """
        key = reply_key(self.identity(), request)
        if lasting:
            with self._lasting:
                return self._lasting_answer(key, request, kind, case_budget, language)
        stored = None if self._fresh else _stored(self._cache, key, kind)
        return stored or self._ask_and_keep(key, request, kind, case_budget, language)

    def _lasting_answer(
        self, key: str, request: LlmRequest, kind: type[AnswerT], budget: Budget, language: str
    ) -> Asked[AnswerT]:
        stored = _stored(self._definitions, key, kind) or _stored(self._cache, key, kind)
        asked = stored or self._ask_and_keep(key, request, kind, budget, language)
        first = _stored(self._cache, key, kind) or asked
        self._definitions.put(key, first.reply.to_json())
        return asked if first.answer == asked.answer else first

    def _ask_and_keep(
        self, key: str, request: LlmRequest, kind: type[AnswerT], budget: Budget, language: str
    ) -> Asked[AnswerT]:
        asked = self._ask_twice(request, kind, budget, language)
        if self.identity().digest:
            self._cache.put(key, asked.reply.to_json())
        return asked

    def _ask_twice(
        self, request: LlmRequest, kind: type[AnswerT], case_budget: Budget, language: str
    ) -> Asked[AnswerT]:
        first = self._call(request, case_budget)
        try:
            return Asked(read_answer(first, kind), first)
        except InvalidReplyError as invalid:
            problem = str(invalid)
        again = load_prompt("again", language).filled({"problem": problem})[1]
        quoted = Message("assistant", harmless(first.text)[:_QUOTED] or "-")
        second = self._call(request.continued(quoted, again), case_budget)
        both = _together(first, second)
        try:
            return Asked(read_answer(second, kind), both, problem)
        except InvalidReplyError as invalid:
            raise _unusable(invalid, both) from invalid

    def _call(self, request: LlmRequest, case_budget: Budget) -> LlmReply:
        def attempt() -> LlmReply:
            case_budget.reserve()
            self.run_budget.reserve()
            return self.client.ask(request)

        reply = self._guarded(lambda: self._retries.call(attempt))
        for budget in (case_budget, self.run_budget):
            budget.spend(reply)
        return reply

    def _guarded(self, call: Callable[[], ResultT]) -> ResultT:
        """The result of a call; after some outages in a row nothing is called any more."""
        if self._outages >= OUTAGES_UNTIL_DOWN:
            raise JudgeUnreachableError(
                f"{self._outage} (the judge failed {self._outages} times in a row; this run asks it"
                " no more)",
                hint="jw-eval judge check",
            )
        try:
            result = call()
        except JudgeUnreachableError as error:
            with self._counting:
                self._outages += error.outage
                self._outage = error.message
            raise
        with self._counting:
            self._outages = 0
        return result


def _stored(cache: ReplyCache, key: str, kind: type[AnswerT]) -> Asked[AnswerT] | None:
    body = cache.get(key)
    if body is None:
        return None
    reply = replace(LlmReply.from_json(body), cached=True, duration_ms=0)
    return Asked(read_answer(reply, kind), reply)


def _together(first: LlmReply, second: LlmReply) -> LlmReply:
    """The second reply with what both have cost."""
    return replace(
        second,
        prompt_tokens=_sum(first.prompt_tokens, second.prompt_tokens),
        reply_tokens=_sum(first.reply_tokens, second.reply_tokens),
        duration_ms=first.duration_ms + second.duration_ms,
    )


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _unusable(invalid: InvalidReplyError, reply: LlmReply) -> JudgeError:
    kind = JudgeCutError if invalid.cut else JudgeMalformedError
    return kind(f"the judge's reply is unusable, also when asked again: {invalid}", reply=reply)
