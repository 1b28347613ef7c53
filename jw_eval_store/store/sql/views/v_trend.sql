-- purpose: How an agent has done over time. Filter by agent; order by started_at.
-- grain: one row a finished run that is no shard, agent, layer and language
-- columns:
--   run: ULID of the run.
--   started_at: When the run started.
--   day: Its date, UTC.
--   git_revision: Commit of the working folder.
--   agent: Name of the agent.
--   layer: l1, l2 or l3.
--   language: BCP 47 tag.
--   results: Results counted.
--   passed: Verdict pass.
--   failed: Verdict fail.
--   skipped: Verdict skip.
--   errors: Could not be decided, or was never run.
--   pass_rate: Passes among all results but skips, 0..1; errors count against it.
--   mean_score: Mean of the scores, 0..1; none where nothing was scored.
--   reused: Of all results: taken from earlier runs.
--   duration_ms: Milliseconds of the fresh results, added up.
--   bundled: 1 for a demonstration run on the bundled cases; don't mix them with real ones.
SELECT
    n.ulid AS run,
    n.started_at,
    substr(n.started_at, 1, 10) AS day,
    n.git_revision,
    u.agent,
    u.layer,
    u.language,
    u.passed + u.failed + u.skipped + u.errors AS results,
    u.passed,
    u.failed,
    u.skipped,
    u.errors,
    1.0 * u.passed / nullif(u.passed + u.failed + u.errors, 0) AS pass_rate,
    u.score_sum / nullif(u.scored, 0) AS mean_score,
    u.reused,
    u.duration_ms,
    n.bundled
FROM rollup u
JOIN run n ON n.id = u.run_id
WHERE n.status = 'finished' AND json_extract(n.selection, '$.shard') IS NULL
