"""Execute a plan: ask agents on several threads, and commit verdicts in small batches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import islice

from jw_eval_store.domain.evaluations import LayerResult
from jw_eval_store.domain.evidence import ORIGINS, Evidence
from jw_eval_store.domain.policies import Policy
from jw_eval_store.domain.recordings import Recording
from jw_eval_store.runs.interrupt import Interrupt
from jw_eval_store.runs.judging import Judged, Tools, judge_case
from jw_eval_store.runs.labels import Labels
from jw_eval_store.store.cases import load_cases
from jw_eval_store.store.connect import Connection, transaction
from jw_eval_store.store.evaluations import NewEvaluation
from jw_eval_store.store.evidence import EvidenceRef, cited_evidence, load_passages
from jw_eval_store.store.planning import Planned
from jw_eval_store.store.recordings import load_recording
from jw_eval_store.store.setups import SetupParts

BATCH = 200
BATCH_SECONDS = 0.5
"""Verdicts are committed after so many, or so long after the last commit."""

Progress = Callable[[int, int], None]
"""Called with (done, total)."""


@dataclass(frozen=True)
class Job:
    """One case to be asked once, with the evidence it will be held against."""

    item: Planned
    evidence: tuple[EvidenceRef, ...]
    repeat: int = 0


@dataclass
class Execution:
    """The state of a running run: what is stored, and what waits for the next commit."""

    conn: Connection
    run: int
    tools: Tools
    labels: Labels
    setups: Mapping[int, SetupParts]
    policy: Policy
    interrupt: Interrupt
    progress: Progress
    jobs: int
    fail_fast: bool = False
    repeat: int = 1
    _batch: list[NewEvaluation] = field(default_factory=list)
    _repeats: dict[int, dict[int, Judged]] = field(default_factory=dict)
    _committed: float = field(default_factory=time.monotonic)
    _stop: str = ""

    def execute(self, stale: Sequence[Planned]) -> None:
        """Ask every stale case; on interruption return early, with all that was decided stored."""
        total, done = len(stale) * self.repeat, 0
        pool = ThreadPoolExecutor(self.jobs, thread_name_prefix="case")
        try:
            for job, judged in self._judged(pool, stale):
                done += 1
                self._gather(job, judged)
                self.progress(done, total)
        finally:
            # An agent may hang until its time limit: a second Ctrl-C must not wait for it.
            pool.shutdown(wait=False, cancel_futures=True)
            self._commit()
        if self._stop and not self.interrupt.requested:
            self._skip_rest(stale)

    def _judged(
        self, pool: ThreadPoolExecutor, stale: Sequence[Planned]
    ) -> Iterator[tuple[Job, Judged]]:
        """Results as they come, with a bounded number of cases in flight."""
        waiting: dict[Future[Judged | None], Job] = {}
        source = self._jobs(stale)
        while True:
            if not self._ending:
                for job, run in islice(source, self.jobs * 4 - len(waiting)):
                    waiting[pool.submit(run)] = job
            elif waiting:
                self._cancel(waiting)
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                job, judged = waiting.pop(future), future.result()
                if judged is not None:
                    yield job, judged

    @staticmethod
    def _cancel(waiting: dict[Future[Judged | None], Job]) -> None:
        for future in [f for f in waiting if f.cancel()]:
            del waiting[future]

    def _jobs(self, stale: Sequence[Planned]) -> Iterator[tuple[Job, Callable[[], Judged | None]]]:
        load = lru_cache(maxsize=2048)(self._evidence)
        for item in stale:
            case = load_cases(self.conn, [item.case.revision])[item.case.revision]
            refs = tuple(cited_evidence(self.conn, item.case.revision))
            evidence = {ref.fetch_key: load(ref) for ref in refs if ref.evidence is not None}
            for repeat in range(self.repeat):
                recording = self._recording(item)
                ask = partial(judge_case, case, evidence, self._tools_for(item), recording, repeat)
                yield Job(item, refs, repeat), partial(self._unless_ending, ask)

    def _unless_ending(self, ask: Callable[[], Judged]) -> Judged | None:
        """Nothing: the run is to end, and a worker took this case up after that was asked."""
        return None if self._ending else ask()

    @property
    def _ending(self) -> bool:
        return bool(self._stop) or self.interrupt.requested

    def _tools_for(self, item: Planned) -> Tools:
        """Demonstration cases may rest on authored evidence, whatever the policy says."""
        return replace(self.tools, origins=ORIGINS) if item.case.bundled else self.tools

    def _recording(self, item: Planned) -> Recording | None:
        return None if item.recording is None else load_recording(self.conn, item.recording)

    def _evidence(self, ref: EvidenceRef) -> Evidence:
        if ref.evidence is None or ref.origin is None:
            raise LookupError(ref.fetch_key)
        return Evidence(ref.fetch_key, ref.origin, load_passages(self.conn, ref.evidence))

    def _gather(self, job: Job, judged: Judged) -> None:
        """Keep a case's verdicts when the last of its repeats is in: the majority's counts."""
        if self.repeat == 1:
            self._keep(job, judged)
            return
        from jw_eval_store.runs.repeating import settled

        gathered = self._repeats.setdefault(job.item.case.key, {})
        gathered[job.repeat] = judged
        if len(gathered) == self.repeat:
            in_order = [gathered[repeat] for repeat in sorted(gathered)]
            for repeat, one in enumerate(settled(in_order)):
                self._keep(replace(job, repeat=repeat), one)

    def _keep(self, job: Job, judged: Judged) -> None:
        item = job.item
        self._batch.append(
            NewEvaluation(
                run=self.run,
                case=item.case.key,
                revision=item.case.revision,
                setup=item.setup,
                result=judged.result,
                evidence=job.evidence,
                output=judged.output,
                recording=item.recording,
                repeat=job.repeat,
                log=judged.log,
            )
        )
        if job.repeat == 0:
            self._watch(judged.result)
        if len(self._batch) >= BATCH or time.monotonic() - self._committed > BATCH_SECONDS:
            self._commit()

    def _watch(self, result: LayerResult) -> None:
        blocking = self.policy.gate_of(result.layer).blocking
        if self.fail_fast and blocking and result.verdict in ("fail", "error"):
            self._stop = self._stop or result.case_id

    def _commit(self) -> None:
        if self._batch:
            with transaction(self.conn):
                self.labels.put(self.conn, self._batch, self.setups)
            self._batch.clear()
        self._committed = time.monotonic()

    def _skip_rest(self, stale: Sequence[Planned]) -> None:
        """--fail-fast: what was not asked is a skip with its reason, in the store, too."""
        from jw_eval_store.store.runs import pending_cases

        pending = pending_cases(self.conn, self.run)
        for item in stale:
            if item.case.key in pending:
                self._keep(Job(item, ()), Judged(self._skipped(item), None))
        self._commit()

    def _skipped(self, item: Planned) -> LayerResult:
        return LayerResult(
            case_id=item.case.case_id,
            layer=item.case.layer,
            verdict="skip",
            reasons=(f"not asked: --fail-fast stopped the run after {self._stop}",),
        )
