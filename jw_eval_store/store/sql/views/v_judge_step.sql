-- purpose: Every question of every judgement, with its answer. Filter by run and case_id.
-- grain: one row a step of a judgement
-- columns:
--   run: ULID of the run that made the judgement.
--   case_id: Id of the case.
--   agent: Name of the agent.
--   repeat: 0, 1, ... where the run judged the case several times.
--   verdict: Verdict of the whole judgement.
--   seq: Order of the step, from 0.
--   node: Name of the node.
--   kind: rule, task, binary, choice, g_eval, verdict, claims, embedding, guard, ...
--   question: What was asked, for people.
--   answer: The parsed answer.
--   score: 0..1.
--   probability: Of the answer taken, 0..1.
--   margin: Distance from the border: 0 on it, 1 certain.
--   model: Name of the model.
--   model_digest: Digest of its weights.
--   prompt_tokens: As the server counted.
--   reply_tokens: As the server counted.
--   duration_ms: Milliseconds.
--   cached: 1: the reply came from the cache.
--   error: Reason code of what went wrong.
--   prompt: What was sent.
--   reply: What came back, as it came.
--   logprobs: JSON: tokens with log-probabilities.
--   details: JSON: sentence matches, arithmetic.
SELECT
    n.ulid AS run,
    g.case_id,
    s.agent,
    e.repeat,
    e.verdict,
    j.seq,
    j.node,
    j.kind,
    j.question,
    j.answer,
    j.score,
    j.probability,
    j.margin,
    j.model,
    j.model_digest,
    j.prompt_tokens,
    j.reply_tokens,
    j.duration_ms,
    j.cached,
    j.error,
    (SELECT p.body FROM prompt p WHERE p.id = j.prompt_id) AS prompt,
    j.reply,
    j.logprobs,
    j.details
FROM judge_step j
JOIN evaluation e ON e.id = j.evaluation_id
JOIN run n ON n.id = e.run_id
JOIN golden_case g ON g.id = e.golden_case_id
JOIN setup s ON s.id = e.setup_id
