"""Record: ask agents with the network open, and store what they exchange, case by case."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from jw_eval_store.agents.interface import AgentReply
from jw_eval_store.config import Config
from jw_eval_store.domain.selections import Selection
from jw_eval_store.runs.agents import Agents, open_agents
from jw_eval_store.runs.judging import agent_call
from jw_eval_store.runs.recording_files import write_recording
from jw_eval_store.runs.selecting import selected
from jw_eval_store.runs.workspace import sync_workspace
from jw_eval_store.store.cases import CaseRow, load_cases
from jw_eval_store.store.connect import Connection, transaction, writing
from jw_eval_store.store.recordings import current_recordings, put_recording
from jw_eval_store.text.plurals import plural


@dataclass(frozen=True)
class Recorded:
    """What came of one case. `problem` empty: stored; `size` is bytes of all bodies."""

    case_id: str
    agent: str
    exchanges: int = 0
    size: int = 0
    changed: bool = False
    problem: str = ""

    @property
    def text(self) -> str:
        """One line for people."""
        if self.problem:
            return f"{self.case_id}: not recorded: {self.problem}"
        news = "new" if self.changed else "unchanged"
        exchanges, size = plural(self.exchanges, "exchange"), plural(self.size, "byte")
        return f"{self.case_id}: {exchanges}, {size}, {news}"


def record_cases(
    config: Config, selection: Selection, heard: Callable[[Recorded], None] = lambda _: None
) -> list[Recorded]:
    """Ask the agents of the selected cases with the network open, and store the recordings.

    A call that ends in an error is not stored: its recording would not be whole. Raises
    EmptySelectionError where nothing is selected.
    """
    results = []
    with writing(config.database) as conn:
        sync_workspace(conn, config, demonstration=False)
        rows = selected(conn, selection, layers_asked=False, bundled=False)
        with open_agents(config, sorted({r.agent for r in rows}), demonstration=False) as agents:
            for row, reply in _replies(conn, rows, agents, config.settings.jobs or 2):
                results.append(_store(conn, config, row, reply))
                heard(results[-1])
    return results


def _replies(
    conn: Connection, rows: list[CaseRow], agents: Agents, jobs: int
) -> Iterator[tuple[CaseRow, AgentReply]]:
    cases = load_cases(conn, [row.revision for row in rows])
    with ThreadPoolExecutor(jobs, thread_name_prefix="record") as pool:
        asked = [
            pool.submit(
                partial(
                    agents.by_name[row.agent].call,
                    agent_call(cases[row.revision], agents.settings.get(row.agent), record=True),
                )
            )
            for row in rows
        ]
        for row, future in zip(rows, asked, strict=True):
            yield row, future.result()


def _store(conn: Connection, config: Config, row: CaseRow, reply: AgentReply) -> Recorded:
    recording = reply.recording
    if reply.error is not None or recording is None:
        problem = f"{reply.error or 'agent_unavailable'}: {reply.message}"
        return Recorded(row.case_id, row.agent, problem=problem)
    with transaction(conn):
        before = current_recordings(conn).get((row.key, row.agent))
        key = put_recording(conn, row.case_id, row.agent, recording)
    if config.settings.recordings:
        write_recording(config, row.case_id, row.agent, recording)
    return Recorded(row.case_id, row.agent, len(recording.exchanges), recording.size, key != before)
