"""Trying a client out, in words: is it there, who is it, does it keep to a schema, how fast."""

from __future__ import annotations

from jw_eval_store.judges.answers import labelled
from jw_eval_store.judges.errors import JudgeError
from jw_eval_store.judges.interface import (
    MAX_ALTERNATIVES,
    ClientCheck,
    ClientIdentity,
    LlmClient,
    LlmReply,
    LlmRequest,
)
from jw_eval_store.judges.logprobs import distribution
from jw_eval_store.judges.prompts import load_prompt
from jw_eval_store.judges.replies import InvalidReplyError, read_answer
from jw_eval_store.judges.strategies.keywords import YES_NO, choice_parts

_QUESTION = "Is the text above about water?"


def check_client(client: LlmClient) -> ClientCheck:
    """Ask who answers, and one small question. Never raises for what the client does."""
    try:
        identity = client.identity()
        reply = client.ask(_request())
    except JudgeError as error:
        unknown = ClientIdentity(client.name, client.model)
        return ClientCheck(False, unknown, tuple(str(error).splitlines()))
    ok, schema = _schema_line(reply)
    lines = (
        _who(identity),
        *(("texts leave this machine",) if client.external else ()),
        schema,
        _logprobs_line(reply),
        _speed_line(reply),
    )
    return ClientCheck(ok, identity, lines)


def _request() -> LlmRequest:
    parts = choice_parts(_QUESTION, YES_NO) | {"inputs": "The river is wide and deep."}
    messages = load_prompt("choice", "en").filled(parts)
    schema = labelled(YES_NO).model_json_schema()
    return LlmRequest(messages, schema, alternatives=MAX_ALTERNATIVES)


def _who(identity: ClientIdentity) -> str:
    digest = f", digest {identity.digest[:19]}" if identity.digest else ", digest unknown"
    return f"{identity.client} answers with {identity.model}{digest}"


def _schema_line(reply: LlmReply) -> tuple[bool, str]:
    try:
        answer = read_answer(reply, labelled(YES_NO))
    except InvalidReplyError as error:
        return False, f"its JSON is not true to the schema: {error}"
    return True, f"its JSON is true to the schema (it said {answer.verdict})"


def _logprobs_line(reply: LlmReply) -> str:
    if not reply.logprobs:
        return "no log-probabilities: scores are whole numbers, and no graph is walked softly"
    try:
        taken = read_answer(reply, labelled(YES_NO)).verdict
    except InvalidReplyError:
        return "log-probabilities come with each token"
    known = distribution(reply, "verdict", YES_NO, taken)
    sure = "too little on the answers to be used" if known is None else f"{known[taken]:.2f} here"
    return f"log-probabilities come with each token ({sure})"


def _speed_line(reply: LlmReply) -> str:
    seconds = max(reply.duration_ms, 1) / 1000
    rate = f", {reply.reply_tokens / seconds:.0f} tokens a second" if reply.reply_tokens else ""
    return f"a short question took {reply.duration_ms} ms{rate}"
