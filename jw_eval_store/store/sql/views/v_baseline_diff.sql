-- purpose: Each run against the baselines in force: what got worse, and why. Filter by run.
-- grain: one row a baseline in force, a later finished run and a case that stands in either
-- columns:
--   baseline: Name of the baseline.
--   baseline_run: ULID of the approved run.
--   run: ULID of the run compared with it.
--   started_at: When that run started.
--   case_id: Id of the case.
--   agent: Name of the agent.
--   layer: l1, l2 or l3.
--   language: BCP 47 tag.
--   change: same, unstable, regression, fix, new, removed, undecided or changed, as in v_run_diff.
--   verdict_before: Verdict in the baseline; none: not in it.
--   verdict_after: Verdict in the run; none: not in it, or not run.
--   reason_after: Reason code in the run.
--   score_before: Score in the baseline, 0..1 at L3.
--   score_after: Score in the run.
--   cause: What went in that differs, as in v_run_diff.
SELECT
    b.name AS baseline,
    d.before AS baseline_run,
    d.after AS run,
    n.started_at,
    d.case_id,
    d.agent,
    d.layer,
    d.language,
    d.change,
    d.verdict_before,
    d.verdict_after,
    d.reason_after,
    d.score_before,
    d.score_after,
    d.cause
FROM baseline b
JOIN run a ON a.id = b.run_id
JOIN run n ON n.ulid > a.ulid AND n.status = 'finished'
JOIN v_run_diff d ON d.before = a.ulid AND d.after = n.ulid
WHERE b.ulid = (
    SELECT max(x.ulid) FROM baseline x WHERE x.name = b.name AND x.revoked_at IS NULL
)
