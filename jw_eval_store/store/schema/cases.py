"""Golden cases, their immutable revisions, and the files they came from."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, Text, UniqueConstraint

from jw_eval_store.domain.cases import LAYERS
from jw_eval_store.store.schema.base import digest, key, moment, number, one_of, refers, table, text

golden_case = table(
    "golden_case",
    "A golden case by id. What is current is the newest event's.",
    key(),
    text("case_id", "Natural key, as written in YAML.", unique=True),
    Column(
        "current_revision_id",
        Integer,
        ForeignKey("case_revision.id", use_alter=False),
        nullable=True,
        comment="The revision that runs judge.",
    ),
    number("bundled", "1: a demonstration case that came with jw-eval; runs only on request."),
    moment("archived_at", "Set while the case is archived.", nullable=True),
    moment("created_at", "When the case was first seen."),
)

case_revision = table(
    "case_revision",
    "One immutable content of a case. The same content of a case is stored once.",
    key(),
    refers("golden_case_id", "golden_case", "The case."),
    number("number", "1, 2, ... in the order in which contents first appeared in this file."),
    digest("source_hash", "Content address of the YAML bytes."),
    digest("content_hash", "Content address of what can change a verdict (no metadata, no lint)."),
    refers(
        "equivalent_id",
        "case_revision",
        "First revision of the case with the same content_hash; results carry over between them.",
        nullable=True,
    ),
    text("agent", "Name of the agent that is asked."),
    text("layer", "l1, l2 or l3."),
    text("language", "BCP 47 tag derived from input.language."),
    text("topic", "metadata.topic.", nullable=True),
    text("definition", "The case as canonical JSON."),
    text("source", "The case as YAML, byte for byte."),
    moment("created_at", "When this content was first stored."),
    UniqueConstraint("golden_case_id", "number"),
    UniqueConstraint("golden_case_id", "source_hash"),
    CheckConstraint(one_of("layer", LAYERS), name="layer"),
)

revision_tag = table(
    "revision_tag",
    "Tags of a revision, from metadata.tags.",
    refers("revision_id", "case_revision", "The revision.", primary_key=True),
    Column("tag", Text, primary_key=True, nullable=False, comment="The tag."),
    rowid=False,
)

revision_citation = table(
    "revision_citation",
    "Pages that a revision expects to be cited: what evidence it depends on.",
    refers("revision_id", "case_revision", "The revision.", primary_key=True),
    Column("position", Integer, primary_key=True, nullable=False, comment="Order written, from 0."),
    refers("page_id", "page", "The page, by fetch key."),
    text("url", "The URL as written in the case."),
    Index(None, "page_id"),
    rowid=False,
)

case_event = table(
    "case_event",
    "What happened to a case, appended only: the history that people read.",
    key(),
    refers("golden_case_id", "golden_case", "The case."),
    refers("revision_id", "case_revision", "The revision that became or was current."),
    text("kind", "add, edit, import, sync, archive or restore."),
    text("author", "Who did it.", nullable=True),
    text("reason", "Why.", nullable=True),
    moment("at", "When."),
    Index(None, "golden_case_id"),
    CheckConstraint(
        one_of("kind", ("add", "edit", "import", "sync", "archive", "restore")), name="kind"
    ),
)

synced_file = table(
    "synced_file",
    "Files of the configured folders as last synced: unchanged files are not read again.",
    Column("path", Text, primary_key=True, nullable=False, comment="Absolute path, `/` separated."),
    text("root", "The configured folder it belongs to."),
    text("kind", "case, evidence or recording."),
    number("size", "Bytes."),
    number("mtime_ns", "Last change of content or inode, nanoseconds; negative: look again."),
    digest("content_hash", "Content address of its bytes; of a recording, of what it became."),
    refers(
        "revision_id", "case_revision", "What it was synced to; none if refused.", nullable=True
    ),
    refers("snapshot_id", "snapshot", "The snapshot it was synced to.", nullable=True),
    text("error", "JSON: why it was refused, by line.", nullable=True),
    CheckConstraint(one_of("kind", ("case", "evidence", "recording")), name="kind"),
    Index(None, "revision_id"),
    rowid=False,
)
