-- purpose: What the policy requires and is missing, as `jw-eval coverage` last saw policy and lint.
-- grain: one row a rule that is not met
-- columns:
--   agent: Name of the agent.
--   kind: layer, language, topic, required (a case by id), evidence or recording (their age).
--   what: The layer, BCP 47 tag, topic or case id; for evidence and recordings the greatest age.
--   required: Cases that the policy requires; pages or recordings that must be fresh.
--   present: How many there are. Cases with a lint error don't count; those with the same input and
--     expectations count once, as the one whose id comes first.
--   missing: How many are still to be added or renewed.
WITH counted AS (
    SELECT
        g.case_id, r.agent, r.layer, r.language, r.topic,
        json_replace(
            json_remove(r.definition, '$.id', '$.metadata', '$.lint'),
            '$.input.language', r.language
        ) AS substance
    FROM golden_case g
    JOIN case_revision r ON r.id = g.current_revision_id
    WHERE g.archived_at IS NULL
        AND g.bundled = 0
        AND NOT EXISTS (SELECT 1 FROM lint_fault f WHERE f.revision_id = r.id)
),
distinct_case AS (
    SELECT agent, min(case_id) AS case_id, layer, language, topic
    FROM counted
    GROUP BY agent, substance
),
rule AS (
    SELECT
        k.agent, k.kind, k.what, k.minimum AS required,
        CASE k.kind
            WHEN 'required' THEN (
                SELECT count(*) FROM counted c WHERE c.agent = k.agent AND c.case_id = k.what
            )
            ELSE (
                SELECT count(*)
                FROM distinct_case d
                WHERE d.agent = k.agent
                    AND k.what = CASE k.kind
                        WHEN 'layer' THEN d.layer
                        WHEN 'language' THEN d.language
                        ELSE d.topic
                    END
            )
        END AS present
    FROM coverage_rule k
    WHERE k.kind NOT IN ('evidence', 'recording')
    UNION ALL
    SELECT
        k.agent, k.kind, 'not older than ' || k.minimum || iif(k.minimum = 1, ' day', ' days'),
        count(DISTINCT p.id),
        count(DISTINCT iif(
            s.captured_at >= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || k.minimum || ' days')
            AND s.captured_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+1 day'),
            p.id, NULL
        ))
    FROM coverage_rule k
    JOIN case_revision r ON r.agent = k.agent
    JOIN golden_case g
        ON g.current_revision_id = r.id AND g.id = r.golden_case_id
        AND g.archived_at IS NULL AND g.bundled = 0
    JOIN revision_citation c ON c.revision_id = r.id
    JOIN page p ON p.id = c.page_id
    LEFT JOIN snapshot s ON s.id = p.current_snapshot_id
    WHERE k.kind = 'evidence'
    GROUP BY k.agent, k.minimum
    UNION ALL
    SELECT
        k.agent, k.kind, 'not older than ' || k.minimum || iif(k.minimum = 1, ' day', ' days'),
        count(*),
        total(
            n.recorded_at >= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || k.minimum || ' days')
            AND n.recorded_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+1 day')
        )
    FROM coverage_rule k
    JOIN current_recording n ON n.agent = k.agent
    JOIN golden_case g
        ON g.id = n.golden_case_id AND g.archived_at IS NULL AND g.bundled = 0
    WHERE k.kind = 'recording'
    GROUP BY k.agent, k.minimum
)
SELECT agent, kind, what, required, CAST(present AS INTEGER) AS present,
    CAST(required - present AS INTEGER) AS missing
FROM rule
WHERE missing > 0
