"""The first schema.

Written as SQL and frozen: it says what files of this revision hold, whatever the tables are later.
"""

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

SCHEMA = """
CREATE TABLE agent_fingerprint (
    id INTEGER NOT NULL,
    fingerprint_hash TEXT NOT NULL,
    agent TEXT NOT NULL,
    origin TEXT NOT NULL,
    detail TEXT NOT NULL,
    created_at TEXT NOT NULL,
    CONSTRAINT pk_agent_fingerprint PRIMARY KEY (id),
    CONSTRAINT uq_agent_fingerprint_fingerprint_hash UNIQUE (fingerprint_hash)
) STRICT;

CREATE TABLE output (
    id INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    body TEXT NOT NULL,
    CONSTRAINT pk_output PRIMARY KEY (id),
    CONSTRAINT uq_output_content_hash UNIQUE (content_hash)
) STRICT;

CREATE TABLE recording (
    id INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    golden_case_id INTEGER NOT NULL,
    agent TEXT NOT NULL,
    size INTEGER NOT NULL,
    recorded_at TEXT NOT NULL,
    CONSTRAINT pk_recording PRIMARY KEY (id),
    CONSTRAINT uq_recording_content_hash UNIQUE (content_hash),
    CONSTRAINT fk_recording_golden_case_id_golden_case
        FOREIGN KEY(golden_case_id) REFERENCES golden_case (id)
) STRICT;

CREATE INDEX ix_recording_golden_case_id ON recording (golden_case_id);

CREATE TABLE golden_case (
    id INTEGER NOT NULL,
    case_id TEXT NOT NULL,
    current_revision_id INTEGER,
    bundled INTEGER NOT NULL,
    archived_at TEXT,
    created_at TEXT NOT NULL,
    CONSTRAINT pk_golden_case PRIMARY KEY (id),
    CONSTRAINT uq_golden_case_case_id UNIQUE (case_id),
    CONSTRAINT fk_golden_case_current_revision_id_case_revision
        FOREIGN KEY(current_revision_id) REFERENCES case_revision (id)
) STRICT;

CREATE TABLE case_revision (
    id INTEGER NOT NULL,
    golden_case_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    source_hash TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    equivalent_id INTEGER,
    agent TEXT NOT NULL,
    layer TEXT NOT NULL,
    language TEXT NOT NULL,
    topic TEXT,
    definition TEXT NOT NULL,
    source TEXT NOT NULL,
    created_at TEXT NOT NULL,
    CONSTRAINT pk_case_revision PRIMARY KEY (id),
    CONSTRAINT uq_case_revision_golden_case_id_number UNIQUE (golden_case_id, number),
    CONSTRAINT uq_case_revision_golden_case_id_source_hash UNIQUE (golden_case_id, source_hash),
    CONSTRAINT ck_case_revision_layer CHECK (layer IN ('l1', 'l2', 'l3')),
    CONSTRAINT fk_case_revision_golden_case_id_golden_case
        FOREIGN KEY(golden_case_id) REFERENCES golden_case (id),
    CONSTRAINT fk_case_revision_equivalent_id_case_revision
        FOREIGN KEY(equivalent_id) REFERENCES case_revision (id)
) STRICT;

CREATE TABLE revision_tag (
    revision_id INTEGER NOT NULL,
    tag TEXT NOT NULL,
    CONSTRAINT pk_revision_tag PRIMARY KEY (revision_id, tag),
    CONSTRAINT fk_revision_tag_revision_id_case_revision
        FOREIGN KEY(revision_id) REFERENCES case_revision (id)
) WITHOUT ROWID, STRICT;

CREATE TABLE revision_citation (
    revision_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    page_id INTEGER NOT NULL,
    url TEXT NOT NULL,
    CONSTRAINT pk_revision_citation PRIMARY KEY (revision_id, position),
    CONSTRAINT fk_revision_citation_revision_id_case_revision
        FOREIGN KEY(revision_id) REFERENCES case_revision (id),
    CONSTRAINT fk_revision_citation_page_id_page FOREIGN KEY(page_id) REFERENCES page (id)
) WITHOUT ROWID, STRICT;

CREATE INDEX ix_revision_citation_page_id ON revision_citation (page_id);

CREATE TABLE case_event (
    id INTEGER NOT NULL,
    golden_case_id INTEGER NOT NULL,
    revision_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    author TEXT,
    reason TEXT,
    at TEXT NOT NULL,
    CONSTRAINT pk_case_event PRIMARY KEY (id),
    CONSTRAINT ck_case_event_kind
        CHECK (kind IN ('add', 'edit', 'import', 'sync', 'archive', 'restore')),
    CONSTRAINT fk_case_event_golden_case_id_golden_case
        FOREIGN KEY(golden_case_id) REFERENCES golden_case (id),
    CONSTRAINT fk_case_event_revision_id_case_revision
        FOREIGN KEY(revision_id) REFERENCES case_revision (id)
) STRICT;

CREATE INDEX ix_case_event_golden_case_id ON case_event (golden_case_id);

CREATE TABLE synced_file (
    path TEXT NOT NULL,
    root TEXT NOT NULL,
    kind TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    revision_id INTEGER,
    snapshot_id INTEGER,
    error TEXT,
    CONSTRAINT pk_synced_file PRIMARY KEY (path),
    CONSTRAINT ck_synced_file_kind CHECK (kind IN ('case', 'evidence')),
    CONSTRAINT fk_synced_file_revision_id_case_revision
        FOREIGN KEY(revision_id) REFERENCES case_revision (id),
    CONSTRAINT fk_synced_file_snapshot_id_snapshot
        FOREIGN KEY(snapshot_id) REFERENCES snapshot (id)
) WITHOUT ROWID, STRICT;

CREATE INDEX ix_synced_file_revision_id ON synced_file (revision_id);

CREATE TABLE page (
    id INTEGER NOT NULL,
    fetch_key TEXT NOT NULL,
    current_snapshot_id INTEGER,
    CONSTRAINT pk_page PRIMARY KEY (id),
    CONSTRAINT uq_page_fetch_key UNIQUE (fetch_key),
    CONSTRAINT fk_page_current_snapshot_id_snapshot
        FOREIGN KEY(current_snapshot_id) REFERENCES snapshot (id)
) STRICT;

CREATE TABLE evidence (
    id INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    passages TEXT NOT NULL,
    CONSTRAINT pk_evidence PRIMARY KEY (id),
    CONSTRAINT uq_evidence_content_hash UNIQUE (content_hash)
) STRICT;

CREATE TABLE snapshot (
    id INTEGER NOT NULL,
    snapshot_hash TEXT NOT NULL,
    page_id INTEGER NOT NULL,
    evidence_id INTEGER NOT NULL,
    origin TEXT NOT NULL,
    url TEXT NOT NULL,
    final_url TEXT,
    status INTEGER,
    headers TEXT,
    html TEXT NOT NULL,
    bytes_hash TEXT,
    text_hash TEXT,
    structure_hash TEXT,
    versions TEXT NOT NULL,
    scope TEXT NOT NULL,
    captured_at TEXT NOT NULL,
    reason TEXT,
    CONSTRAINT pk_snapshot PRIMARY KEY (id),
    CONSTRAINT ck_snapshot_origin CHECK (origin IN ('captured', 'imported', 'authored')),
    CONSTRAINT ck_snapshot_scope CHECK (scope IN ('excerpt', 'page')),
    CONSTRAINT uq_snapshot_snapshot_hash UNIQUE (snapshot_hash),
    CONSTRAINT fk_snapshot_page_id_page FOREIGN KEY(page_id) REFERENCES page (id),
    CONSTRAINT fk_snapshot_evidence_id_evidence
        FOREIGN KEY(evidence_id) REFERENCES evidence (id)
) STRICT;

CREATE INDEX ix_snapshot_page_id ON snapshot (page_id);

CREATE TABLE evidence_set (
    id INTEGER NOT NULL,
    set_hash TEXT NOT NULL,
    CONSTRAINT pk_evidence_set PRIMARY KEY (id),
    CONSTRAINT uq_evidence_set_set_hash UNIQUE (set_hash)
) STRICT;

CREATE TABLE evidence_set_item (
    evidence_set_id INTEGER NOT NULL,
    page_id INTEGER NOT NULL,
    evidence_id INTEGER,
    origin TEXT,
    CONSTRAINT pk_evidence_set_item PRIMARY KEY (evidence_set_id, page_id),
    CONSTRAINT fk_evidence_set_item_evidence_set_id_evidence_set
        FOREIGN KEY(evidence_set_id) REFERENCES evidence_set (id),
    CONSTRAINT fk_evidence_set_item_page_id_page FOREIGN KEY(page_id) REFERENCES page (id),
    CONSTRAINT fk_evidence_set_item_evidence_id_evidence
        FOREIGN KEY(evidence_id) REFERENCES evidence (id)
) WITHOUT ROWID, STRICT;

CREATE TABLE embedder (
    id INTEGER NOT NULL,
    identity_hash TEXT NOT NULL,
    backend TEXT NOT NULL,
    model TEXT NOT NULL,
    revision TEXT NOT NULL,
    dimension INTEGER NOT NULL,
    window INTEGER,
    CONSTRAINT pk_embedder PRIMARY KEY (id),
    CONSTRAINT uq_embedder_identity_hash UNIQUE (identity_hash)
) STRICT;

CREATE TABLE embedding (
    id INTEGER NOT NULL,
    embedder_id INTEGER NOT NULL,
    text_hash TEXT NOT NULL,
    vector BLOB NOT NULL,
    created_at TEXT NOT NULL,
    CONSTRAINT pk_embedding PRIMARY KEY (id),
    CONSTRAINT uq_embedding_embedder_id_text_hash UNIQUE (embedder_id, text_hash),
    CONSTRAINT fk_embedding_embedder_id_embedder
        FOREIGN KEY(embedder_id) REFERENCES embedder (id)
) STRICT;

CREATE TABLE revision_text (
    revision_id INTEGER NOT NULL,
    field TEXT NOT NULL,
    text_hash TEXT NOT NULL,
    CONSTRAINT pk_revision_text PRIMARY KEY (revision_id, field),
    CONSTRAINT fk_revision_text_revision_id_case_revision
        FOREIGN KEY(revision_id) REFERENCES case_revision (id)
) WITHOUT ROWID, STRICT;

CREATE TABLE threshold_profile (
    id INTEGER NOT NULL,
    profile_hash TEXT NOT NULL,
    embedder_id INTEGER NOT NULL,
    body TEXT NOT NULL,
    created_at TEXT NOT NULL,
    CONSTRAINT pk_threshold_profile PRIMARY KEY (id),
    CONSTRAINT uq_threshold_profile_profile_hash UNIQUE (profile_hash),
    CONSTRAINT fk_threshold_profile_embedder_id_embedder
        FOREIGN KEY(embedder_id) REFERENCES embedder (id)
) STRICT;

CREATE TABLE judge (
    id INTEGER NOT NULL,
    identity_hash TEXT NOT NULL,
    label TEXT NOT NULL,
    body TEXT NOT NULL,
    CONSTRAINT pk_judge PRIMARY KEY (id),
    CONSTRAINT uq_judge_identity_hash UNIQUE (identity_hash)
) STRICT;

CREATE TABLE prompt (
    id INTEGER NOT NULL,
    prompt_hash TEXT NOT NULL,
    body TEXT NOT NULL,
    CONSTRAINT pk_prompt PRIMARY KEY (id),
    CONSTRAINT uq_prompt_prompt_hash UNIQUE (prompt_hash)
) STRICT;

CREATE TABLE judge_step (
    id INTEGER NOT NULL,
    evaluation_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    node TEXT NOT NULL,
    kind TEXT NOT NULL,
    question TEXT NOT NULL,
    prompt_id INTEGER,
    reply TEXT NOT NULL,
    answer TEXT,
    score REAL,
    probability REAL,
    margin REAL,
    logprobs TEXT,
    model TEXT NOT NULL,
    model_digest TEXT NOT NULL,
    prompt_tokens INTEGER,
    reply_tokens INTEGER,
    duration_ms INTEGER NOT NULL,
    cached INTEGER NOT NULL,
    error TEXT,
    details TEXT NOT NULL,
    CONSTRAINT pk_judge_step PRIMARY KEY (id),
    CONSTRAINT uq_judge_step_evaluation_id_seq UNIQUE (evaluation_id, seq),
    CONSTRAINT fk_judge_step_evaluation_id_evaluation
        FOREIGN KEY(evaluation_id) REFERENCES evaluation (id),
    CONSTRAINT fk_judge_step_prompt_id_prompt FOREIGN KEY(prompt_id) REFERENCES prompt (id)
) STRICT;

CREATE TABLE judge_reply (
    id INTEGER NOT NULL,
    key_hash TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at TEXT NOT NULL,
    CONSTRAINT pk_judge_reply PRIMARY KEY (id),
    CONSTRAINT uq_judge_reply_key_hash UNIQUE (key_hash)
) STRICT;

CREATE TABLE human_label (
    id INTEGER NOT NULL,
    ulid TEXT NOT NULL,
    evaluation_id INTEGER NOT NULL,
    node TEXT,
    verdict TEXT NOT NULL,
    reason TEXT,
    author TEXT NOT NULL,
    created_at TEXT NOT NULL,
    CONSTRAINT pk_human_label PRIMARY KEY (id),
    CONSTRAINT uq_human_label_ulid UNIQUE (ulid),
    CONSTRAINT fk_human_label_evaluation_id_evaluation
        FOREIGN KEY(evaluation_id) REFERENCES evaluation (id)
) STRICT;

CREATE INDEX ix_human_label_evaluation_id ON human_label (evaluation_id);

CREATE TABLE setup (
    id INTEGER NOT NULL,
    setup_hash TEXT NOT NULL,
    agent TEXT NOT NULL,
    layer TEXT NOT NULL,
    layer_version TEXT NOT NULL,
    agent_fingerprint_id INTEGER,
    embedder_id INTEGER,
    judge_id INTEGER,
    settings TEXT NOT NULL,
    CONSTRAINT pk_setup PRIMARY KEY (id),
    CONSTRAINT ck_setup_layer CHECK (layer IN ('l1', 'l2', 'l3')),
    CONSTRAINT uq_setup_setup_hash UNIQUE (setup_hash),
    CONSTRAINT fk_setup_agent_fingerprint_id_agent_fingerprint
        FOREIGN KEY(agent_fingerprint_id) REFERENCES agent_fingerprint (id),
    CONSTRAINT fk_setup_embedder_id_embedder FOREIGN KEY(embedder_id) REFERENCES embedder (id),
    CONSTRAINT fk_setup_judge_id_judge FOREIGN KEY(judge_id) REFERENCES judge (id)
) STRICT;

CREATE TABLE evaluation (
    id INTEGER NOT NULL,
    run_id INTEGER NOT NULL,
    golden_case_id INTEGER NOT NULL,
    repeat INTEGER DEFAULT '0' NOT NULL,
    revision_id INTEGER NOT NULL,
    setup_id INTEGER NOT NULL,
    evidence_set_id INTEGER,
    recording_id INTEGER,
    output_id INTEGER,
    verdict TEXT NOT NULL,
    reason_code TEXT,
    score REAL,
    duration_ms INTEGER NOT NULL,
    detail TEXT,
    CONSTRAINT pk_evaluation PRIMARY KEY (id),
    CONSTRAINT uq_evaluation_run_id_golden_case_id_repeat
        UNIQUE (run_id, golden_case_id, repeat),
    CONSTRAINT ck_evaluation_verdict CHECK (verdict IN ('pass', 'fail', 'skip', 'error')),
    CONSTRAINT fk_evaluation_run_id_run FOREIGN KEY(run_id) REFERENCES run (id),
    CONSTRAINT fk_evaluation_golden_case_id_golden_case
        FOREIGN KEY(golden_case_id) REFERENCES golden_case (id),
    CONSTRAINT fk_evaluation_revision_id_case_revision
        FOREIGN KEY(revision_id) REFERENCES case_revision (id),
    CONSTRAINT fk_evaluation_setup_id_setup FOREIGN KEY(setup_id) REFERENCES setup (id),
    CONSTRAINT fk_evaluation_evidence_set_id_evidence_set
        FOREIGN KEY(evidence_set_id) REFERENCES evidence_set (id),
    CONSTRAINT fk_evaluation_recording_id_recording
        FOREIGN KEY(recording_id) REFERENCES recording (id),
    CONSTRAINT fk_evaluation_output_id_output FOREIGN KEY(output_id) REFERENCES output (id)
) STRICT;

CREATE INDEX ix_evaluation_golden_case_id ON evaluation (golden_case_id);

CREATE TABLE run (
    id INTEGER NOT NULL,
    ulid TEXT NOT NULL,
    started_at TEXT NOT NULL,
    finished_at TEXT,
    status TEXT NOT NULL,
    bundled INTEGER NOT NULL,
    selection TEXT NOT NULL,
    git_revision TEXT,
    git_dirty INTEGER,
    tool_version TEXT NOT NULL,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    policy_id INTEGER,
    gate TEXT,
    exit_code INTEGER,
    notices TEXT NOT NULL,
    CONSTRAINT pk_run PRIMARY KEY (id),
    CONSTRAINT ck_run_status CHECK (status IN ('running', 'finished', 'interrupted')),
    CONSTRAINT uq_run_ulid UNIQUE (ulid),
    CONSTRAINT fk_run_policy_id_policy FOREIGN KEY(policy_id) REFERENCES policy (id)
) STRICT;

CREATE INDEX ix_run_started_at ON run (started_at);

CREATE TABLE run_result (
    run_id INTEGER NOT NULL,
    golden_case_id INTEGER NOT NULL,
    evaluation_id INTEGER,
    CONSTRAINT pk_run_result PRIMARY KEY (run_id, golden_case_id),
    CONSTRAINT fk_run_result_run_id_run FOREIGN KEY(run_id) REFERENCES run (id),
    CONSTRAINT fk_run_result_golden_case_id_golden_case
        FOREIGN KEY(golden_case_id) REFERENCES golden_case (id),
    CONSTRAINT fk_run_result_evaluation_id_evaluation
        FOREIGN KEY(evaluation_id) REFERENCES evaluation (id)
) WITHOUT ROWID, STRICT;

CREATE TABLE rollup (
    agent TEXT NOT NULL,
    run_id INTEGER NOT NULL,
    layer TEXT NOT NULL,
    language TEXT NOT NULL,
    passed INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    skipped INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    reused INTEGER NOT NULL,
    score_sum REAL NOT NULL,
    scored INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    CONSTRAINT pk_rollup PRIMARY KEY (agent, run_id, layer, language),
    CONSTRAINT fk_rollup_run_id_run FOREIGN KEY(run_id) REFERENCES run (id)
) WITHOUT ROWID, STRICT;

CREATE INDEX ix_rollup_run_id ON rollup (run_id);

CREATE TABLE baseline (
    id INTEGER NOT NULL,
    ulid TEXT NOT NULL,
    name TEXT NOT NULL,
    run_id INTEGER NOT NULL,
    approved_by TEXT NOT NULL,
    reason TEXT NOT NULL,
    forced INTEGER NOT NULL,
    case_set_hash TEXT NOT NULL,
    approved_at TEXT NOT NULL,
    revoked_at TEXT,
    revoked_by TEXT,
    revoke_reason TEXT,
    CONSTRAINT pk_baseline PRIMARY KEY (id),
    CONSTRAINT uq_baseline_ulid UNIQUE (ulid),
    CONSTRAINT fk_baseline_run_id_run FOREIGN KEY(run_id) REFERENCES run (id)
) STRICT;

CREATE INDEX ix_baseline_name ON baseline (name);

CREATE TABLE policy (
    id INTEGER NOT NULL,
    policy_hash TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at TEXT NOT NULL,
    CONSTRAINT pk_policy PRIMARY KEY (id),
    CONSTRAINT uq_policy_policy_hash UNIQUE (policy_hash)
) STRICT;

CREATE TABLE coverage_rule (
    agent TEXT NOT NULL,
    layer TEXT NOT NULL,
    language TEXT NOT NULL,
    minimum INTEGER NOT NULL,
    CONSTRAINT pk_coverage_rule PRIMARY KEY (agent, layer, language)
) WITHOUT ROWID, STRICT
"""


def upgrade() -> None:
    for statement in SCHEMA.split(";\n"):
        op.execute(statement)


def downgrade() -> None:
    for statement in SCHEMA.split(";\n"):
        words = statement.split()
        if words[:2] == ["CREATE", "TABLE"]:
            op.execute(f"DROP TABLE {words[2]}")
