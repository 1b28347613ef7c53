-- purpose: What cases an agent has, and how they stand. Archived and bundled ones don't count.
-- grain: one row an agent, layer and language
-- columns:
--   agent: Name of the agent.
--   layer: l1, l2 or l3.
--   language: BCP 47 tag.
--   cases: Cases that count: without a lint error as of the last `jw-eval coverage`; those with the
--     same input and expectations once, as the one whose id comes first.
--   passing: Of these: whose current content passed when last judged.
--   failing: Of these: whose current content failed when last judged.
--   undecided: Of these: whose current content was skipped or undecided when last judged.
--   not_run: Of these: whose current content was never judged.
--   required: Cases that the policy requires at the layer, all languages together.
SELECT
    c.agent,
    c.layer,
    c.language,
    count(*) AS cases,
    count(*) FILTER (WHERE c.last_verdict = 'pass') AS passing,
    count(*) FILTER (WHERE c.last_verdict = 'fail') AS failing,
    count(*) FILTER (WHERE c.last_verdict IN ('skip', 'error')) AS undecided,
    count(*) FILTER (WHERE c.last_verdict IS NULL) AS not_run,
    (
        SELECT k.minimum FROM coverage_rule k
        WHERE k.agent = c.agent AND k.kind = 'layer' AND k.what = c.layer
    ) AS required
FROM (
    SELECT v.agent, v.layer, v.language, v.last_verdict, min(v.case_id)
    FROM v_case v
    WHERE v.archived_at IS NULL
        AND v.bundled = 0
        AND v.case_id NOT IN (
            SELECT g.case_id
            FROM lint_fault f
            JOIN golden_case g ON g.current_revision_id = f.revision_id
        )
    GROUP BY v.agent, json_replace(
        json_remove(v.definition, '$.id', '$.metadata', '$.lint'),
        '$.input.language', v.language
    )
) c
GROUP BY c.agent, c.layer, c.language
