-- purpose: Where a person says otherwise than the judge: about a verdict, or about one node of it.
-- grain: one row a person and thing labelled: their newest label, where it contradicts
-- columns:
--   run: ULID of the run that made the judgement.
--   case_id: Id of the case.
--   agent: Name of the agent.
--   layer: l1, l2 or l3.
--   judge: The judge, for people; none where no judge was asked.
--   node: The node; none: the label is about the whole verdict.
--   judged: What the judge said: a verdict, or the node's answer.
--   human: What the person says.
--   reason: Why.
--   author: Who.
--   created_at: When.
SELECT
    n.ulid AS run,
    g.case_id,
    s.agent,
    s.layer,
    (SELECT k.label FROM judge k WHERE k.id = s.judge_id) AS judge,
    h.node,
    iif(h.node IS NULL, e.verdict, j.answer) AS judged,
    h.verdict AS human,
    h.reason,
    h.author,
    h.created_at
FROM human_label h
JOIN evaluation e ON e.id = h.evaluation_id
JOIN run n ON n.id = e.run_id
JOIN golden_case g ON g.id = e.golden_case_id
JOIN setup s ON s.id = e.setup_id
LEFT JOIN judge_step j ON j.evaluation_id = h.evaluation_id AND j.node = h.node
WHERE lower(iif(h.node IS NULL, e.verdict, j.answer)) IS NOT lower(h.verdict)
-- of a person's labels on the same thing the newest counts
AND NOT EXISTS (
    SELECT 1 FROM human_label n
    WHERE n.evaluation_id = h.evaluation_id AND n.node IS h.node AND n.author = h.author
    AND n.id > h.id
)
