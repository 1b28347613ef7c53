-- purpose: How the runs went. Order by started_at, newest first, with a LIMIT.
-- grain: one row a run
-- columns:
--   run: ULID of the run.
--   started_at: When it started.
--   finished_at: When it ended; none while it runs, or if it was killed.
--   status: running, finished or interrupted.
--   gate: passed, failed, undecided, invalid, empty or interrupted; none until it ends.
--   exit_code: Exit code of the command.
--   results: Results counted; this and the next five are none until the run ends.
--   passed: Verdict pass.
--   failed: Verdict fail.
--   skipped: Verdict skip.
--   errors: Could not be decided, or was never run.
--   reused: Of all results: taken from earlier runs.
--   duration_ms: Milliseconds of the fresh results, added up.
--   git_revision: Commit of the working folder.
--   git_dirty: 1 if the working folder had changes.
--   tool_version: Version of jw-eval.
--   baselines: Names of the baselines in force that it is, joined by commas.
--   bundled: 1 for a demonstration run on the bundled cases.
SELECT
    n.ulid AS run,
    n.started_at,
    n.finished_at,
    n.status,
    n.gate,
    n.exit_code,
    (
        SELECT sum(u.passed + u.failed + u.skipped + u.errors)
        FROM rollup u WHERE u.run_id = n.id
    ) AS results,
    (SELECT sum(u.passed) FROM rollup u WHERE u.run_id = n.id) AS passed,
    (SELECT sum(u.failed) FROM rollup u WHERE u.run_id = n.id) AS failed,
    (SELECT sum(u.skipped) FROM rollup u WHERE u.run_id = n.id) AS skipped,
    (SELECT sum(u.errors) FROM rollup u WHERE u.run_id = n.id) AS errors,
    (SELECT sum(u.reused) FROM rollup u WHERE u.run_id = n.id) AS reused,
    (SELECT sum(u.duration_ms) FROM rollup u WHERE u.run_id = n.id) AS duration_ms,
    n.git_revision,
    n.git_dirty,
    n.tool_version,
    (
        SELECT group_concat(b.name, ', ')
        FROM baseline b
        WHERE b.run_id = n.id AND b.ulid = (
            SELECT max(x.ulid) FROM baseline x WHERE x.name = b.name AND x.revoked_at IS NULL
        )
    ) AS baselines,
    n.bundled
FROM run n
