-- purpose: Two runs side by side, with the cause of each difference. Filter by before and after.
-- grain: one row a pair of runs and a case that stands in either
-- columns:
--   before: ULID of the one run.
--   after: ULID of the other run.
--   case_id: Id of the case.
--   agent: Name of the agent.
--   layer: l1, l2 or l3.
--   language: BCP 47 tag.
--   change: As `jw-eval diff` says it: same; unstable: pass, now fail, or the other way round, from
--     the very same inputs; regression: pass, now fail; undecided: pass, now anything else; fix:
--     now pass; new; removed; changed: all else, and another score from other inputs. What was
--     never judged counts as an error.
--   verdict_before: Verdict in the one run; none: not in it, or not run.
--   verdict_after: Verdict in the other run; none: not in it, or not run.
--   reason_before: Reason code in the one run.
--   reason_after: Reason code in the other run.
--   score_before: Score in the one run, 0..1 at L3.
--   score_after: Score in the other run.
--   cause: What went in that differs, joined by commas: case edited, evidence changed, recording
--     changed, agent changed, agent unknown, layer changed, embedder changed, judge changed,
--     settings changed; else nothing changed, and where the verdict did, that it is unstable. None
--     where a verdict is missing, or is the same one, reused.
SELECT
    d.before,
    d.after,
    d.case_id,
    d.agent,
    d.layer,
    d.language,
    CASE
        WHEN NOT d.stood THEN 'new'
        WHEN NOT d.stands THEN 'removed'
        WHEN coalesce(d.verdict_before, 'error') = coalesce(d.verdict_after, 'error') THEN
            iif(d.score_before IS NOT d.score_after AND d.changed <> '', 'changed', 'same')
        WHEN d.changed = '' AND d.verdict_before IN ('pass', 'fail')
            AND d.verdict_after IN ('pass', 'fail') THEN 'unstable'
        WHEN d.verdict_before = 'pass' THEN
            iif(d.verdict_after IS 'fail', 'regression', 'undecided')
        WHEN d.verdict_after = 'pass' THEN 'fix'
        ELSE 'changed'
    END AS change,
    d.verdict_before,
    d.verdict_after,
    d.reason_before,
    d.reason_after,
    d.score_before,
    d.score_after,
    CASE
        WHEN d.made_before IS NULL OR d.made_after IS NULL THEN NULL
        WHEN d.made_before = d.made_after THEN NULL
        WHEN d.changed <> '' THEN rtrim(d.changed, ', ')
        WHEN d.verdict_before = d.verdict_after THEN 'nothing changed'
        ELSE 'nothing changed (unstable)'
    END AS cause
FROM (
    SELECT
        a.ulid AS before,
        b.ulid AS after,
        g.case_id,
        r.agent,
        r.layer,
        r.language,
        la.run_id IS NOT NULL AS stood,
        lb.run_id IS NOT NULL AS stands,
        ea.id AS made_before,
        eb.id AS made_after,
        ea.verdict AS verdict_before,
        eb.verdict AS verdict_after,
        ea.reason_code AS reason_before,
        eb.reason_code AS reason_after,
        ea.score AS score_before,
        eb.score AS score_after,
        iif(ra.equivalent_id IS rb.equivalent_id, '', 'case edited, ')
        || iif(ea.evidence_set_id IS eb.evidence_set_id, '', 'evidence changed, ')
        || iif(ea.recording_id IS eb.recording_id, '', 'recording changed, ')
        || CASE
            WHEN sa.agent_fingerprint_id = sb.agent_fingerprint_id THEN ''
            WHEN sa.agent_fingerprint_id IS NULL
                OR sb.agent_fingerprint_id IS NULL THEN 'agent unknown, '
            ELSE 'agent changed, '
        END
        || iif(sa.layer_version IS sb.layer_version, '', 'layer changed, ')
        || iif(sa.embedder_id IS sb.embedder_id, '', 'embedder changed, ')
        || iif(sa.judge_id IS sb.judge_id, '', 'judge changed, ')
        || iif(sa.settings IS sb.settings, '', 'settings changed, ') AS changed
    FROM run a
    CROSS JOIN run b
    CROSS JOIN golden_case g
    LEFT JOIN run_result la ON la.run_id = a.id AND la.golden_case_id = g.id
    LEFT JOIN run_result lb ON lb.run_id = b.id AND lb.golden_case_id = g.id
    LEFT JOIN evaluation ea ON ea.id = la.evaluation_id
    LEFT JOIN evaluation eb ON eb.id = lb.evaluation_id
    LEFT JOIN case_revision ra ON ra.id = ea.revision_id
    LEFT JOIN case_revision rb ON rb.id = eb.revision_id
    LEFT JOIN setup sa ON sa.id = ea.setup_id
    LEFT JOIN setup sb ON sb.id = eb.setup_id
    JOIN case_revision r ON r.id = coalesce(rb.id, ra.id, g.current_revision_id)
    WHERE la.run_id IS NOT NULL OR lb.run_id IS NOT NULL
) AS d
