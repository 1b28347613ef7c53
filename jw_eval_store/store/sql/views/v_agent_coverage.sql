-- purpose: What cases an agent has, and how they stand. Archived and bundled ones don't count.
-- grain: one row an agent, layer and language
-- columns:
--   agent: Name of the agent.
--   layer: l1, l2 or l3.
--   language: BCP 47 tag.
--   cases: Cases; those with the same input and expectations count once.
--   passing: Cases whose current content passed when last judged.
--   failing: Cases whose current content failed when last judged.
--   undecided: Cases whose current content was skipped or could not be decided when last judged.
--   not_run: Cases whose current content was never judged.
--   required: Minimum of the policy for just this language; none where it names none.
SELECT
    c.agent,
    c.layer,
    c.language,
    count(DISTINCT json_remove(c.definition, '$.id', '$.metadata', '$.lint')) AS cases,
    count(*) FILTER (WHERE c.last_verdict = 'pass') AS passing,
    count(*) FILTER (WHERE c.last_verdict = 'fail') AS failing,
    count(*) FILTER (WHERE c.last_verdict IN ('skip', 'error')) AS undecided,
    count(*) FILTER (WHERE c.last_verdict IS NULL) AS not_run,
    (
        SELECT k.minimum FROM coverage_rule k
        WHERE k.agent = c.agent AND k.layer = c.layer AND k.language = c.language
    ) AS required
FROM v_case c
WHERE c.archived_at IS NULL AND c.bundled = 0
GROUP BY c.agent, c.layer, c.language
