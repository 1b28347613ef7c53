-- purpose: What the policy requires and is missing. No row: every required case is there.
-- grain: one row a rule that is not met: agent, layer and language
-- columns:
--   agent: Name of the agent.
--   layer: l1, l2 or l3, or * for all layers together.
--   language: BCP 47 tag, or * for all languages together.
--   required: Cases that the policy requires.
--   present: Cases there are; those with the same input and expectations count once.
--   missing: How many are still to be added.
SELECT
    k.agent,
    k.layer,
    k.language,
    k.minimum AS required,
    count(DISTINCT json_remove(r.definition, '$.id', '$.metadata', '$.lint')) AS present,
    k.minimum
        - count(DISTINCT json_remove(r.definition, '$.id', '$.metadata', '$.lint')) AS missing
FROM coverage_rule k
LEFT JOIN (
    SELECT r.agent, r.layer, r.language, r.definition
    FROM golden_case g
    JOIN case_revision r ON r.id = g.current_revision_id
    WHERE g.archived_at IS NULL AND g.bundled = 0
) r ON r.agent = k.agent AND k.layer IN (r.layer, '*') AND k.language IN (r.language, '*')
GROUP BY k.agent, k.layer, k.language, k.minimum
HAVING missing > 0
