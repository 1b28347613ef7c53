"""A loopback server that speaks the protocols of judges, and misbehaves as scripted."""

from __future__ import annotations

import json
import socket
import struct
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from math import log
from threading import Thread
from typing import Any

MODEL = "llama3.1:8b"
DIGEST = "46e0c10c039e019119339687c3c1757cc81b9da49709a3b3924863ba87ca666e"

Tokens = Sequence[tuple[str, Mapping[str, float]]]
"""The reply's tokens, each with what could have stood there and its probability (itself too)."""


@dataclass
class Reply:
    """One answer to one chat request. Times in seconds.

    `tokens`: with log-probabilities; else `text` without. `delay` before the headers, `pause` after
    the first token, `drip` after each. `reset`: break the connection before or within the reply.
    `read`: share of the prompt that is read, as a number of tokens if above 1.
    """

    text: str = '{"verdict": "pass", "reason": "same claims"}'
    tokens: Tokens | None = None
    status: int = 200
    error: str = "an error"
    param: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    pause: float = 0.0
    drip: float = 0.0
    reset: str | None = None
    error_in_stream: str | None = None
    without_end: bool = False
    cut: bool = False
    read: float = 1.0

    @property
    def pieces(self) -> list[tuple[str, Mapping[str, float] | None]]:
        """The parts that are streamed."""
        if self.tokens is not None:
            return list(self.tokens)
        half = len(self.text) // 2
        return [(part, None) for part in (self.text[:half], self.text[half:]) if part]

    @property
    def whole(self) -> str:
        """The reply's text."""
        return "".join(text for text, _ in self.pieces)


class ScriptedServer:
    """Answers with the scripted replies in turn, the last one again and again."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.script: deque[Reply] = deque([Reply()])
        self.answer: Callable[[dict[str, Any]], Reply] | None = None
        self.chats: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.loaded_context: int | None = None
        self.models = [MODEL]
        self.capabilities = ["completion"]
        self.context = 131072
        self.description_delay = 0.0
        self.clock = 1_700_000_000

    def will_answer(self, *replies: Reply) -> None:
        """Set the replies to come."""
        self.script = deque(replies)

    def reply_to(self, body: dict[str, Any]) -> Reply:
        """The reply to this request where answers are computed, else the one whose turn it is."""
        if self.answer is not None:
            return self.answer(body)
        return self.script.popleft() if len(self.script) > 1 else self.script[0]


@contextmanager
def scripted_server() -> Iterator[ScriptedServer]:
    """A server on a free port of the loopback."""
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server = ScriptedServer(f"http://127.0.0.1:{httpd.server_port}")
    httpd.scripted = server  # type: ignore[attr-defined]
    thread = Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def scripted(self) -> ScriptedServer:
        scripted: ScriptedServer = self.server.scripted  # type: ignore[attr-defined]
        return scripted

    def log_message(self, *_: object) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        scripted = self.scripted
        time.sleep(scripted.description_delay)
        answers: dict[str, Any] = {
            "/api/tags": {"models": [_tag(name) for name in scripted.models]},
            "/api/ps": {"models": [_loaded(scripted)] if scripted.loaded_context else []},
            "/v1/models": {
                "object": "list",
                "data": [_listed(name, scripted) for name in scripted.models],
            },
        }
        self._json(200 if self.path in answers else 404, answers.get(self.path, {}))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/api/show":
            info = {"llama.context_length": self.scripted.context}
            shown = {"model_info": info, "capabilities": self.scripted.capabilities}
            self._json(200, shown)
            return
        self.scripted.chats.append(body)
        self.scripted.headers.append({k.lower(): v for k, v in self.headers.items()})
        reply = self.scripted.reply_to(body)
        time.sleep(reply.delay)
        if reply.reset == "before":
            self._reset()
        elif reply.status != 200:
            self._refuse(reply)
        elif self.path == "/api/chat":
            self._stream(body, reply)
        elif self.path == "/v1/messages":
            self._message(body, reply)
        else:
            self._completion(body, reply)

    def _refuse(self, reply: Reply) -> None:
        if self.path == "/api/chat":
            self._json(reply.status, {"error": reply.error}, reply.headers)
            return
        error = {"message": reply.error, "type": "error", "param": reply.param, "code": None}
        self._json(reply.status, {"error": error}, reply.headers)

    def _json(self, status: int, body: object, headers: Mapping[str, str] | None = None) -> None:
        raw = json.dumps(body, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(raw)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self._write(raw)

    def _write(self, raw: bytes) -> None:
        try:
            self.wfile.write(raw)
            self.wfile.flush()
        except OSError:
            self.close_connection = True

    def _reset(self) -> None:
        """Close with a reset instead of a farewell."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()
        self.wfile = BytesIO()
        self.rfile.close()

    def _stream(self, body: dict[str, Any], reply: Reply) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, (text, alternatives) in enumerate(reply.pieces):
            line: dict[str, Any] = _line(text)
            if body.get("logprobs") and alternatives is not None:
                line["logprobs"] = [_ollama_token(text, alternatives, body["top_logprobs"])]
            self._chunk(line)
            time.sleep(reply.drip)
            if number == 0:
                time.sleep(reply.pause)
                if reply.reset == "within":
                    self._reset()
                    return
        if reply.error_in_stream:
            self._chunk({"error": reply.error_in_stream})
        elif not reply.without_end:
            self._chunk(_last_line(body, reply))
        self._write(b"0\r\n\r\n")

    def _chunk(self, line: dict[str, Any]) -> None:
        raw = json.dumps(line, ensure_ascii=False).encode() + b"\n"
        self._write(f"{len(raw):x}\r\n".encode() + raw + b"\r\n")

    def _message(self, body: dict[str, Any], reply: Reply) -> None:
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [{"type": "text", "text": reply.whole}],
            "stop_reason": "max_tokens" if reply.cut else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": _read(body, reply), "output_tokens": len(reply.pieces)},
        }
        self._json(200, message)

    def _completion(self, body: dict[str, Any], reply: Reply) -> None:
        logprobs = None
        if body.get("logprobs") and reply.tokens is not None:
            logprobs = {"content": [_openai_token(t, a) for t, a in reply.tokens]}
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": reply.whole, "refusal": None},
            "logprobs": logprobs,
            "finish_reason": "length" if reply.cut else "stop",
        }
        read, written = _read(body, reply), len(reply.pieces)
        usage = {
            "prompt_tokens": read,
            "completion_tokens": written,
            "total_tokens": read + written,
        }
        completion = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [choice],
            "usage": usage,
        }
        if reply.reset == "within":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self._write(b'{"id": ')
            self._reset()
            return
        self._json(200, completion)


def _read(body: dict[str, Any], reply: Reply) -> int:
    """Tokens read of the prompt; four characters are a token."""
    if reply.read > 1:
        return int(reply.read)
    return round(sum(len(m["content"]) for m in body["messages"]) / 4 * reply.read)


def _tag(name: str) -> dict[str, Any]:
    return {"name": name, "model": name, "digest": DIGEST, "size": 4_920_753_328}


def _loaded(server: ScriptedServer) -> dict[str, Any]:
    return {**_tag(MODEL), "context_length": server.loaded_context}


def _listed(name: str, server: ScriptedServer) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": server.clock, "owned_by": "scripted"}


def _line(text: str) -> dict[str, Any]:
    return {
        "model": MODEL,
        "created_at": "2026-01-01T00:00:00.000000Z",
        "message": {"role": "assistant", "content": text},
        "done": False,
    }


def _last_line(body: dict[str, Any], reply: Reply) -> dict[str, Any]:
    return {
        **_line(""),
        "done": True,
        "done_reason": "length" if reply.cut else "stop",
        "total_duration": 2_000_000,
        "load_duration": 1_000_000,
        "prompt_eval_count": _read(body, reply),
        "prompt_eval_duration": 500_000,
        "eval_count": len(reply.pieces),
        "eval_duration": 500_000,
    }


def _ollama_token(text: str, alternatives: Mapping[str, float], top: int) -> dict[str, Any]:
    return {**_token(text, alternatives[text]), "top_logprobs": _top(alternatives)[:top]}


def _openai_token(text: str, alternatives: Mapping[str, float]) -> dict[str, Any]:
    return {**_token(text, alternatives[text]), "top_logprobs": _top(alternatives)}


def _top(alternatives: Mapping[str, float]) -> list[dict[str, Any]]:
    return [_token(text, probability) for text, probability in alternatives.items()]


def _token(text: str, probability: float) -> dict[str, Any]:
    return {"token": text, "logprob": log(probability), "bytes": list(text.encode())}
