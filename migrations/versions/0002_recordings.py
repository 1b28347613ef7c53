"""The HTTP exchanges of recordings, and the files that agents used."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

SCHEMA = """
CREATE TABLE current_recording (
    golden_case_id INTEGER NOT NULL,
    agent TEXT NOT NULL,
    recording_id INTEGER NOT NULL,
    recorded_at TEXT NOT NULL,
    CONSTRAINT pk_current_recording PRIMARY KEY (golden_case_id, agent),
    CONSTRAINT fk_current_recording_golden_case_id_golden_case FOREIGN KEY(golden_case_id)
        REFERENCES golden_case (id),
    CONSTRAINT fk_current_recording_recording_id_recording FOREIGN KEY(recording_id)
        REFERENCES recording (id)
) WITHOUT ROWID, STRICT;

CREATE TABLE http_body (
    id INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    size INTEGER NOT NULL,
    body BLOB NOT NULL,
    CONSTRAINT pk_http_body PRIMARY KEY (id),
    CONSTRAINT uq_http_body_content_hash UNIQUE (content_hash)
) STRICT;

CREATE TABLE http_exchange (
    recording_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    method TEXT NOT NULL,
    url TEXT NOT NULL,
    request_headers TEXT NOT NULL,
    request_body_id INTEGER,
    status INTEGER NOT NULL,
    headers TEXT NOT NULL,
    body_id INTEGER,
    CONSTRAINT pk_http_exchange PRIMARY KEY (recording_id, position),
    CONSTRAINT fk_http_exchange_recording_id_recording FOREIGN KEY(recording_id)
        REFERENCES recording (id),
    CONSTRAINT fk_http_exchange_request_body_id_http_body FOREIGN KEY(request_body_id)
        REFERENCES http_body (id),
    CONSTRAINT fk_http_exchange_body_id_http_body FOREIGN KEY(body_id) REFERENCES http_body (id)
) WITHOUT ROWID, STRICT;

CREATE INDEX ix_http_exchange_body_id ON http_exchange (body_id);

CREATE INDEX ix_http_exchange_request_body_id ON http_exchange (request_body_id);

CREATE TABLE agent_used_file (
    agent_fingerprint_id INTEGER NOT NULL,
    path TEXT NOT NULL,
    CONSTRAINT pk_agent_used_file PRIMARY KEY (agent_fingerprint_id, path),
    CONSTRAINT fk_agent_used_file_agent_fingerprint_id_agent_fingerprint
        FOREIGN KEY(agent_fingerprint_id) REFERENCES agent_fingerprint (id)
) WITHOUT ROWID, STRICT
"""


def upgrade() -> None:
    for statement in SCHEMA.split(";\n"):
        op.execute(statement)


def downgrade() -> None:
    for table in ("agent_used_file", "http_exchange", "http_body", "current_recording"):
        op.execute(f"DROP TABLE {table}")
