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
FROM golden_case g
JOIN evaluation e ON e.golden_case_id = g.id
JOIN run n ON n.id = e.run_id
JOIN case_revision v ON v.id = e.revision_id
JOIN case_revision r ON r.id = v.equivalent_id
JOIN setup s ON s.id = e.setup_id AND s.agent_fingerprint_id IS NOT NULL
GROUP BY g.case_id, r.id, e.setup_id, e.evidence_set_id, e.recording_id
HAVING min(e.verdict) <> max(e.verdict)
