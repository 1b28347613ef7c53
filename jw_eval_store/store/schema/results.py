"""Evaluations, runs, what links them, and what is decided about them."""

from __future__ import annotations

from sqlalchemy import REAL, CheckConstraint, Column, Index, Integer, Text, UniqueConstraint
from sqlalchemy import text as literal

from jw_eval_store.domain.cases import LAYERS
from jw_eval_store.domain.evaluations import VERDICTS
from jw_eval_store.store.schema.base import digest, key, moment, number, one_of, refers, table, text

setup = table(
    "setup",
    "What evaluations of one agent at one layer share: everything but case, evidence and output.",
    key(),
    digest("setup_hash", "Natural key.", unique=True),
    text("agent", "Name of the agent."),
    text("layer", "l1, l2 or l3."),
    text("layer_version", "Version of the layer's rules."),
    refers(
        "agent_fingerprint_id", "agent_fingerprint", "None: unknown, always stale.", nullable=True
    ),
    refers("embedder_id", "embedder", "The embedder, at L3.", nullable=True),
    refers("judge_id", "judge", "The judge, at L3.", nullable=True),
    text("settings", "JSON: policy settings that can change a verdict."),
    CheckConstraint(one_of("layer", LAYERS), name="layer"),
)

evaluation = table(
    "evaluation",
    "One verdict on one case revision, naming all that went into it. Never changed.",
    key(),
    refers("run_id", "run", "The run that made it."),
    refers("golden_case_id", "golden_case", "The case."),
    number("repeat", "0, 1, ... where a case is run several times.", server_default="0"),
    refers("revision_id", "case_revision", "The revision judged."),
    refers("setup_id", "setup", "Agent, layer, embedder, judge."),
    refers("evidence_set_id", "evidence_set", "The cited pages' texts.", nullable=True),
    refers("recording_id", "recording", "The recording replayed.", nullable=True),
    refers("output_id", "output", "What the agent returned; none: nothing.", nullable=True),
    text("verdict", "pass, fail, skip or error."),
    text("reason_code", "Why it could not be decided.", nullable=True),
    Column("score", REAL, nullable=True, comment="0..1 at L3."),
    number("duration_ms", "Agent and layer together, milliseconds."),
    text("detail", "JSON: reasons, matched passages, log.", nullable=True),
    UniqueConstraint("run_id", "golden_case_id", "repeat"),
    Index(None, "golden_case_id", "setup_id"),
    Index("ix_evaluation_not_passed", "golden_case_id", sqlite_where=literal("verdict <> 'pass'")),
    CheckConstraint(one_of("verdict", VERDICTS), name="verdict"),
)

run = table(
    "run",
    "A selection of cases and the evaluations that answer it.",
    key(),
    text("ulid", "Natural key; sorts by time.", unique=True),
    moment("started_at", "When it started."),
    moment("finished_at", "When it ended; none: running or interrupted.", nullable=True),
    text("status", "running, finished or interrupted."),
    number("bundled", "1: a demonstration on the bundled cases; kept out of trends."),
    text("selection", "JSON: layers, agents, languages, filters, ids."),
    text("git_revision", "Commit of the working folder.", nullable=True),
    number("git_dirty", "1 if the working folder had changes.", nullable=True),
    text("tool_version", "Version of jw-eval."),
    text("host", "Machine name."),
    number("pid", "Process, to tell a running run from a killed one."),
    refers("policy_id", "policy", "The policy it was gated by.", nullable=True),
    text("gate", "passed, failed, undecided or empty.", nullable=True),
    number("exit_code", "Exit code of the command.", nullable=True),
    text("notices", "JSON: refused files, agents' origins, embedder, judge."),
    digest("case_set_hash", "Content address of the ids of its cases.", nullable=True),
    CheckConstraint(one_of("status", ("running", "finished", "interrupted")), name="status"),
    Index(None, "started_at"),
)

run_result = table(
    "run_result",
    "A run's list of results: fresh or reused evaluations. No evaluation: still to be run.",
    refers("run_id", "run", "The run.", primary_key=True),
    refers("golden_case_id", "golden_case", "The case.", primary_key=True),
    refers("evaluation_id", "evaluation", "Its verdict in this run.", nullable=True),
    rowid=False,
)

rollup = table(
    "rollup",
    "Counts per run, agent, layer and language, written when a run ends: trends read these.",
    Column("agent", Text, primary_key=True, nullable=False, comment="Name of the agent."),
    refers("run_id", "run", "The run.", primary_key=True),
    Column("layer", Text, primary_key=True, nullable=False, comment="l1, l2 or l3."),
    Column("language", Text, primary_key=True, nullable=False, comment="BCP 47 tag."),
    number("passed", "Verdict pass."),
    number("failed", "Verdict fail."),
    number("skipped", "Verdict skip."),
    number("errors", "Verdict error, and results still missing."),
    number("reused", "Of all: taken from earlier runs."),
    Column("score_sum", REAL, nullable=False, comment="Sum of scores, 0..1 each."),
    number("scored", "How many had a score."),
    number("duration_ms", "Milliseconds of the fresh ones."),
    Index(None, "run_id"),
    rowid=False,
)

baseline = table(
    "baseline",
    "A run approved by name, with a reason. The newest one not revoked is in force.",
    key(),
    text("ulid", "Natural key.", unique=True),
    text("name", "Name, such as main."),
    refers("run_id", "run", "The run."),
    text("approved_by", "Who."),
    text("reason", "Why."),
    number("forced", "1: the run had errors or skips."),
    digest("case_set_hash", "Content address of the case revisions in it."),
    moment("approved_at", "When."),
    moment("revoked_at", "When it was revoked.", nullable=True),
    text("revoked_by", "Who revoked it.", nullable=True),
    text("revoke_reason", "Why it was revoked.", nullable=True),
    text("judge", "The judge of the run, for people; none: no L3 case.", nullable=True),
    Index(None, "name"),
)

policy = table(
    "policy",
    "The gate and the coverage that runs were held to, stored once per content.",
    key(),
    digest("policy_hash", "Natural key.", unique=True),
    text("body", "JSON of policy.yaml."),
    moment("created_at", "When it was first seen."),
)

COVERAGE_KINDS = ("layer", "language", "topic", "required", "evidence", "recording")

coverage_rule = table(
    "coverage_rule",
    "What the newest policy asks of the registry, a row a rule: v_coverage_gap.",
    Column("agent", Text, primary_key=True, nullable=False, comment="Name of the agent."),
    Column(
        "kind",
        Text,
        primary_key=True,
        nullable=False,
        comment="layer, language, topic, required (a case id), evidence or recording (freshness).",
    ),
    Column(
        "what",
        Text,
        primary_key=True,
        nullable=False,
        comment="The layer, BCP 47 tag, topic or case id; empty for freshness.",
    ),
    number("minimum", "Cases required; for freshness, the greatest age in days."),
    CheckConstraint(one_of("kind", COVERAGE_KINDS), name="kind"),
    rowid=False,
)

lint_fault = table(
    "lint_fault",
    "Revisions with a lint error, as of the last `jw-eval coverage`: they don't count.",
    refers("revision_id", "case_revision", "The revision.", primary_key=True),
    text("message", "The first error."),
    rowid=False,
)

linted_agent = table(
    "linted_agent",
    "For which cases of an agent lint_fault holds.",
    Column("agent", Text, primary_key=True, nullable=False, comment="Name of the agent."),
    Column("bundled", Integer, primary_key=True, nullable=False, comment="1: bundled cases."),
    digest("set_hash", "Content address of the rules' code and the agent's current cases."),
    rowid=False,
)
