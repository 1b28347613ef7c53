"""One host process: start it, ask it, end it. Whatever happens there becomes an answer here."""

from __future__ import annotations

import itertools
import threading
from queue import Empty, SimpleQueue
from typing import Any

from jw_eval_store.agents.host.frames import Frames
from jw_eval_store.agents.host.printed import Log
from jw_eval_store.agents.spawned import POLL, Spawned, available, ready
from jw_eval_store.domain.settings import AgentSettings

START_TIMEOUT = 60.0
"""Seconds for an interpreter to start and to import the agent."""

GRACE = 0.5
"""Seconds that a cancelled asynchronous call gets to end before its host is killed."""

MAX_FRAME = 256_000_000
"""Bytes of one message from the host: outputs are held to `max_output` there already."""

Message = dict[str, Any]


class HostProcess:
    """A running host. An answer is `{"result": ...}` or `{"error": code, "message": ...}`,
    `{"timeout": True}` or `{"died": why}`, each with `log`, what was printed. `before`: it died
    before it was asked. `misses`: requests that were not recorded, whatever else came.
    """

    def __init__(self, python: str, settings: AgentSettings, start: Message) -> None:
        self.frozen = start["frozen"] is not None
        self.busy = 0
        self.reserved = False
        self.crowded = False
        self._numbers = itertools.count()
        self._waiting: dict[int, SimpleQueue[Message]] = {}
        self._lock = threading.Lock()
        self._printed = Log()
        self._misses: dict[int, list[Message]] = {}
        self._ended: str | None = None
        self.greeting: Message = {}
        self._spawned = Spawned(python, settings)
        self._reader = threading.Thread(target=self._read, name="jw-eval-host", daemon=True)
        self._reader.start()
        scratch = str(self._spawned.scratch.folder)
        self.greeting = self._exchange({**start, "scratch": scratch}, START_TIMEOUT)
        if "ready" not in self.greeting:
            self.close()

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._ended is None

    @property
    def asynchronous(self) -> bool:
        """Whether its agent is a coroutine function, so that calls may overlap."""
        return bool(self.greeting.get("ready", {}).get("asynchronous"))

    def enter(self, *, reserve: bool) -> None:
        """Count one more call; `crowded` as soon as there are several, until all are gone."""
        with self._lock:
            self.busy += 1
            self.reserved = reserve
            self.crowded = self.busy > 1

    def leave(self) -> bool:
        """Count one call less. Whether it may have shared the host with others."""
        with self._lock:
            self.busy -= 1
            crowded = self.crowded
            self.crowded = crowded and self.busy > 0
            return crowded

    def ask(self, message: Message, timeout: float) -> Message:
        """One call's answer within the time limit. A host that cannot keep it is killed."""
        alone = not self.crowded
        if alone:
            self._spawned.scratch.empty()
        answer = self._exchange({**message, "alone": alone}, timeout)
        if answer.get("unwell"):
            self.close()
        return answer

    def depends(self) -> Message | None:
        """What its agent depends on: `files` and `versions`; none: unknown."""
        found: Message | None = self._exchange({"depends": True}, START_TIMEOUT).get("depends")
        return found

    def close(self) -> None:
        """End it, and wait until nothing is left of it."""
        self._spawned.kill()
        self._reader.join()

    def _exchange(self, message: Message, timeout: float) -> Message:
        number = next(self._numbers)
        answer = self._answer(number, message, timeout)
        return {**answer, "misses": self._misses.pop(number, [])}

    def _answer(self, number: int, message: Message, timeout: float) -> Message:
        answers = SimpleQueue[Message]()
        with self._lock:
            if self._ended is not None:
                return {"died": self._ended, "log": "", "before": True}
            self._waiting[number] = answers
        sent = self._spawned.send({**message, "id": number}, timeout)
        if not sent:
            self._spawned.kill()
            return {**answers.get(), "before": True}
        try:
            return answers.get(timeout=timeout)
        except Empty:
            return self._too_late(number, answers)

    def _too_late(self, number: int, answers: SimpleQueue[Message]) -> Message:
        """Cancel where that is possible, else kill; say what was printed until now."""
        answer: Message = {"timeout": True, "log": ""}
        try:
            if not self.asynchronous:
                raise Empty
            self._spawned.send({"cancel": number}, GRACE)
            return {**answer, "log": answers.get(timeout=GRACE)["log"]}
        except Empty:
            self._spawned.kill()
            return {**answer, "log": answers.get()["log"]}

    def _read(self) -> None:
        """Until the process has ended: hand replies to whoever waits for them."""
        spawned, frames = self._spawned, Frames(MAX_FRAME)
        is_open = True
        while is_open and spawned.process.poll() is None:
            arrived = ready([spawned.replies, spawned.log], [], POLL)
            self._keep_printed()
            is_open = spawned.replies not in arrived or self._receive(frames)
        why = spawned.end()
        self._keep_printed()
        self._receive(frames)
        self._end(why)

    def _receive(self, frames: Frames) -> bool:
        """Hand out the replies that have arrived; false at the end of the pipe."""
        data = available(self._spawned.replies)
        try:
            messages = frames.feed(data)
        except ValueError:  # not our protocol: something else wrote to the pipe
            return False
        for message in messages:
            self._hand_out(message)
        return bool(data)

    def _hand_out(self, message: Message) -> None:
        self._keep_printed()
        number = message.pop("id", 0)
        if "miss" in message:
            self._misses.setdefault(number, []).append(message["miss"])
            return
        with self._lock:
            answers = self._waiting.pop(number, None)
            printed, self._printed = self._printed.text(), Log()
        if answers is not None:
            answers.put({**message, "log": message.get("log", "") + printed})

    def _keep_printed(self) -> None:
        self._printed.write(available(self._spawned.log).decode("utf-8", "replace"))

    def _end(self, why: str) -> None:
        with self._lock:
            self._ended = why
            waiting, self._waiting = self._waiting, {}
        self._spawned.release()
        for answers in waiting.values():
            answers.put({"died": why, "log": self._printed.text()})
