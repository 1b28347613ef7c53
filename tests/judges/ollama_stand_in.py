"""Ollama's API in front of llama.cpp's server, which is what Ollama itself runs underneath."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import httpx

MODEL = "smollm2:135m"


@contextmanager
def ollama_in_front_of(llama: str, digest: str) -> Iterator[str]:
    """The address of a server that answers `/api/*` with what llama.cpp at `llama` says."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

        def do_GET(self) -> None:
            entry = {"name": MODEL, "model": MODEL, "digest": digest, "context_length": 4096}
            self._send(200, [{"models": [entry]}])

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if body["model"] != MODEL:
                self._send(404, [{"error": f"model '{body['model']}' not found"}])
            elif self.path == "/api/show":
                shown = {"model_info": {"llama.context_length": 4096}, "capabilities": []}
                self._send(200, [shown])
            else:
                self._send(200, _lines(llama, body))

        def _send(self, status: int, lines: list[dict[str, Any]]) -> None:
            raw = "".join(json.dumps(line) + "\n" for line in lines).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/x-ndjson")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{httpd.server_port}"
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()


def _lines(llama: str, body: dict[str, Any]) -> list[dict[str, Any]]:
    """A chat as Ollama streams it: a line per token, and a last one with the counts."""
    answer = httpx.post(f"{llama}/v1/chat/completions", json=_request(body), timeout=120).json()
    [choice] = answer["choices"]
    lines = [_line(entry) for entry in choice["logprobs"]["content"]]
    usage = answer["usage"]
    last = {
        "model": MODEL,
        "message": {"role": "assistant", "content": ""},
        "done": True,
        "done_reason": choice["finish_reason"],
        "prompt_eval_count": usage["prompt_tokens"],
        "eval_count": usage["completion_tokens"],
    }
    return [*lines, last]


def _request(body: dict[str, Any]) -> dict[str, Any]:
    options = body["options"]
    schema = {"name": "answer", "strict": True, "schema": body["format"]}
    return {
        "messages": body["messages"],
        "max_tokens": options["num_predict"],
        "temperature": options["temperature"],
        "seed": options["seed"],
        "response_format": {"type": "json_schema", "json_schema": schema},
        "logprobs": True,
        "top_logprobs": body.get("top_logprobs") or 1,
    }


def _line(entry: dict[str, Any]) -> dict[str, Any]:
    line = {
        "model": MODEL,
        "message": {"role": "assistant", "content": entry["token"]},
        "done": False,
    }
    kept = ("token", "logprob", "bytes")
    top = [{key: other[key] for key in kept} for other in entry["top_logprobs"]]
    token = {key: entry[key] for key in kept} | {"top_logprobs": top}
    return {**line, "logprobs": [token]}
