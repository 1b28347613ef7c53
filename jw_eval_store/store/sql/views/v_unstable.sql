-- purpose: Cases that got different verdicts from the very same inputs.
-- grain: one row a case and set of inputs (content, evidence, recording, agent, layer, judge)
-- columns:
--   case_id: Id of the case.
--   agent: Name of the agent.
--   layer: l1, l2 or l3.
--   revision: Number of the case's first revision with this content.
--   judgements: How often these inputs were judged.
--   passed: Of these: verdict pass.
--   failed: Of these: verdict fail.
--   undecided: Of these: skipped, or could not be decided.
--   flip_rate: Passes or fails, whichever are fewer, among those decided, 0..0.5.
--   first_run: ULID of the first run that judged them.
--   last_run: ULID of the newest run that judged them.
--   current: 1 if this is the case's current content.
SELECT
    g.case_id,
    r.agent,
    r.layer,
    r.number AS revision,
    count(*) AS judgements,
    count(*) FILTER (WHERE e.verdict = 'pass') AS passed,
    count(*) FILTER (WHERE e.verdict = 'fail') AS failed,
    count(*) FILTER (WHERE e.verdict IN ('skip', 'error')) AS undecided,
    1.0 * min(
        count(*) FILTER (WHERE e.verdict = 'pass'), count(*) FILTER (WHERE e.verdict = 'fail')
    ) / nullif(count(*) FILTER (WHERE e.verdict IN ('pass', 'fail')), 0) AS flip_rate,
    min(n.ulid) AS first_run,
    max(n.ulid) AS last_run,
    r.id = (
        SELECT c.equivalent_id FROM case_revision c WHERE c.id = g.current_revision_id
    ) AS current
FROM (
    -- verdicts that differ are not all passes: the others are few, and have an index of their own
    SELECT DISTINCT
        x.golden_case_id, y.equivalent_id, x.setup_id, x.evidence_set_id, x.recording_id
    FROM evaluation x
    JOIN case_revision y ON y.id = x.revision_id
    WHERE x.verdict <> 'pass'
) AS k
CROSS JOIN golden_case g ON g.id = k.golden_case_id
CROSS JOIN evaluation e ON e.golden_case_id = g.id
    AND e.setup_id = k.setup_id
    AND e.evidence_set_id IS k.evidence_set_id
    AND e.recording_id IS k.recording_id
JOIN case_revision v ON v.id = e.revision_id AND v.equivalent_id = k.equivalent_id
JOIN case_revision r ON r.id = k.equivalent_id
JOIN run n ON n.id = e.run_id
JOIN setup s ON s.id = e.setup_id AND s.agent_fingerprint_id IS NOT NULL
GROUP BY g.case_id, k.equivalent_id, k.setup_id, k.evidence_set_id, k.recording_id
HAVING min(e.verdict) <> max(e.verdict)
