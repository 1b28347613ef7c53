"""The same questions to MLflow's SQLite store and to inspect_ai's logs; runs in their own Python.

A run is an MLflow run with a metric a case, or an inspect_ai log with a sample a case. MLflow's
rows are put in by SQL, since its API writes a few thousand metrics a second. `verdicts.txt` holds
the results: a line a run, oldest first, a character a case, 1 for a pass. Of inspect_ai's logs the
newest two hold theirs, and the others are copies of these: writing 200 would take half an hour.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
from pathlib import Path
from typing import Any

CASES = 5_000


def verdicts() -> list[str]:
    """The results of all runs, see above."""
    return Path("verdicts.txt").read_text().split()


def case_id(number: int) -> str:
    """Id of the case whose verdict is the character of that number, from 0."""
    return f"case_{number + 1:05}"


def mlflow(question: str, runs: int) -> None:
    from mlflow.tracking import MlflowClient

    client = MlflowClient(tracking_uri="sqlite:///mlflow.db")
    if question == "write":
        _write_mlflow(client, runs)
        return
    experiment = client.get_experiment_by_name("suite")
    found = client.search_runs([experiment.experiment_id], max_results=min(runs, 20))
    if question == "runs":
        print(len(found))
    elif question == "diff":
        before, after = (client.get_run(run.info.run_id).data.metrics for run in found[:2])
        cases = [case for case in sorted(before) if before[case] != after.get(case)]
        print([case for case in cases if case != "pass_rate"])
    elif question == "trend":
        print([run.data.metrics["pass_rate"] for run in found])
    else:
        runs_with = client.search_runs([experiment.experiment_id], "metrics.case_00003 = 1")
        print(len(runs_with))


def _write_mlflow(client: Any, runs: int) -> None:
    experiment, found = client.create_experiment("suite"), verdicts()
    made = [client.create_run(experiment, start_time=n).info.run_id for n in range(1, runs + 1)]
    with sqlite3.connect("mlflow.db") as conn:
        for number, run in enumerate(made):
            values = [(case_id(n), float(v)) for n, v in enumerate(found[number])]
            values.append(("pass_rate", sum(v for _, v in values) / CASES))
            conn.executemany(
                "INSERT INTO metrics (key, value, timestamp, run_uuid, step, is_nan)"
                " VALUES (?, ?, 0, ?, 0, 0)",
                [(key, value, run) for key, value in values],
            )
            conn.executemany(
                "INSERT INTO latest_metrics (key, value, timestamp, step, is_nan, run_uuid)"
                " VALUES (?, ?, 0, 0, 0, ?)",
                [(key, value, run) for key, value in values],
            )


def inspect(question: str, runs: int) -> None:
    from inspect_ai.log import list_eval_logs, read_eval_log

    if question == "write":
        _write_logs(runs)
        return
    logs = sorted(Path("logs").glob("*.eval"))
    if question == "runs":
        print(len(list_eval_logs("logs")[:20]))
    elif question == "trend":
        headers = [read_eval_log(str(log), header_only=True) for log in logs[-20:]]
        print([h.results.scores[0].metrics["mean"].value for h in headers if h.results])
    else:
        sides = [_verdicts(read_eval_log(str(log))) for log in logs[-2:]]
        if question == "diff":
            print([case for case in sorted(sides[0]) if sides[0][case] != sides[1].get(case)])
        else:
            print(sum(_has(log, "case_00003") for log in logs[-20:]))


def _has(log: Path, case: str) -> bool:
    from inspect_ai.log import read_eval_log_sample

    return bool(read_eval_log_sample(str(log), id=case).scores["verdict"].value == 1)


def _verdicts(log: Any) -> dict[str, float]:
    return {str(s.id): s.scores["verdict"].value for s in log.samples}


def _write_logs(runs: int) -> None:
    """Two different logs, then copies: each as large as a log of its own would be."""
    Path("logs").mkdir()
    for number, found in enumerate(verdicts()[-2:]):
        _write_log(found, Path("logs") / f"{number:05}.eval")
    for number in range(2, runs):
        shutil.copy(f"logs/{number % 2:05}.eval", f"logs/{number:05}.eval")


def _write_log(found: str, path: Path) -> None:
    from inspect_ai import log as logs
    from inspect_ai.scorer import Score

    samples = [
        logs.EvalSample(
            id=case_id(number), epoch=1, input=f"question {number}", target="",
            scores={"verdict": Score(value=int(verdict))},
        )
        for number, verdict in enumerate(found)
    ]  # fmt: skip
    spec = logs.EvalSpec(
        created="2026-05-30T12:00:00+00:00", task="suite", model="none",
        dataset=logs.EvalDataset(), config=logs.EvalConfig(),
    )  # fmt: skip
    mean = logs.EvalMetric(name="mean", value=found.count("1") / len(found))
    score = logs.EvalScore(name="verdict", scorer="verdict", metrics={"mean": mean})
    results = logs.EvalResults(scores=[score])
    log = logs.EvalLog(status="success", eval=spec, results=results, samples=samples)
    logs.write_eval_log(log, str(path))


if __name__ == "__main__":
    {"mlflow": mlflow, "inspect_ai": inspect}[sys.argv[1]](sys.argv[2], int(sys.argv[3]))
