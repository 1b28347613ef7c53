-- purpose: What is in the registry: every case as it stands now, archived ones too.
-- grain: one row a case
-- columns:
--   case_id: Id of the case, as in YAML.
--   agent: Name of the agent that is asked.
--   layer: l1, l2 or l3.
--   language: BCP 47 tag.
--   topic: metadata.topic; none where the case names none.
--   tags: Tags, joined by commas.
--   revision: Number of the current revision: 1, 2, ...
--   bundled: 1 for a demonstration case that came with jw-eval.
--   archived_at: When it was archived; none for a case in force.
--   created_at: When the case was first stored.
--   changed_at: When the current content was first stored.
--   last_verdict: Newest verdict on the current content; none if it was not judged yet.
--   last_run: ULID of the run that gave it.
--   content_hash: Content address of what can change a verdict.
--   definition: The case as JSON.
--   source: The case as YAML.
SELECT
    g.case_id,
    r.agent,
    r.layer,
    r.language,
    r.topic,
    (SELECT group_concat(t.tag, ', ') FROM revision_tag t WHERE t.revision_id = r.id) AS tags,
    r.number AS revision,
    g.bundled,
    g.archived_at,
    g.created_at,
    r.created_at AS changed_at,
    e.verdict AS last_verdict,
    (SELECT n.ulid FROM run n WHERE n.id = e.run_id) AS last_run,
    r.content_hash,
    r.definition,
    r.source
FROM golden_case g
JOIN case_revision r ON r.id = g.current_revision_id
LEFT JOIN evaluation e ON e.id = (
    SELECT x.id
    FROM evaluation x
    JOIN case_revision xr ON xr.id = x.revision_id
    WHERE x.golden_case_id = g.id AND xr.equivalent_id = r.equivalent_id AND x.repeat = 0
    -- by time: keys of a file that was merged from several are in no order
    ORDER BY (SELECT m.ulid FROM run m WHERE m.id = x.run_id) DESC
    LIMIT 1
)
