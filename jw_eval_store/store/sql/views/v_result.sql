-- purpose: Every result of every run in words. Filter by run or by case_id; order by started_at.
-- grain: one row a run and case
-- columns:
--   run: ULID of the run.
--   started_at: When the run started.
--   case_id: Id of the case.
--   agent: Name of the agent.
--   layer: l1, l2 or l3.
--   language: BCP 47 tag.
--   topic: metadata.topic.
--   revision: Number of the revision judged; the current one while there is no verdict.
--   verdict: pass, fail, skip or error; none: planned, and not run (yet).
--   reason_code: Why it could not be decided; not_run where there is no verdict.
--   score: 0..1 at L3.
--   reused: 1 if an earlier run made the verdict.
--   made_in: ULID of the run that made the verdict.
--   duration_ms: Agent and layer together, when the verdict was made.
--   reasons: JSON list of reasons.
--   output: JSON of what the agent returned.
--   bundled: 1 in a demonstration run on the bundled cases.
SELECT
    n.ulid AS run,
    n.started_at,
    g.case_id,
    r.agent,
    r.layer,
    r.language,
    r.topic,
    r.number AS revision,
    e.verdict,
    iif(e.id IS NULL, 'not_run', e.reason_code) AS reason_code,
    e.score,
    e.run_id <> l.run_id AS reused,
    (SELECT m.ulid FROM run m WHERE m.id = e.run_id) AS made_in,
    e.duration_ms,
    json_extract(e.detail, '$.reasons') AS reasons,
    (SELECT o.body FROM output o WHERE o.id = e.output_id) AS output,
    n.bundled
FROM golden_case g
JOIN run n
-- CROSS keeps this order: run and case first, then the result by its key, never a scan of results
CROSS JOIN run_result l ON l.run_id = n.id AND l.golden_case_id = g.id
LEFT JOIN evaluation e ON e.id = l.evaluation_id
JOIN case_revision r ON r.id = coalesce(e.revision_id, g.current_revision_id)
