"""What is merged: tables with parents first, and the columns by which a row is the same row."""

from __future__ import annotations

from dataclasses import dataclass

from jw_eval_store.store.connect import Connection


@dataclass(frozen=True)
class Merged:
    """A table that is merged by a natural key.

    `fixed` are the columns that two files must agree on; `later` are set when all rows are in;
    `first` are taken from the row that was made first: its moment, then what goes with it. `last`
    are taken from the row that was made last, where the same made again becomes the newest.
    """

    name: str
    key: tuple[str, ...]
    fixed: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()


MERGED = (
    Merged("golden_case", ("case_id",), ("bundled",), ("current_revision_id",)),
    Merged("page", ("fetch_key",), (), ("current_snapshot_id",)),
    Merged("evidence", ("content_hash",), ("passages",)),
    Merged("output", ("content_hash",), ("body",)),
    Merged("prompt", ("prompt_hash",), ("body",)),
    Merged("policy", ("policy_hash",), ("body",), first=("created_at",)),
    Merged("judge", ("identity_hash",), ("body",)),
    Merged("judge_reply", ("key_hash",), first=("created_at", "body")),
    Merged("embedder", ("identity_hash",), ("model", "revision", "dimension")),
    Merged("threshold_profile", ("profile_hash",), ("body",), last=("created_at",)),
    Merged("inference_profile", ("profile_hash",), ("body",), last=("created_at",)),
    Merged("embedding", ("embedder_id", "text_hash"), first=("created_at", "vector")),
    Merged(
        "agent_fingerprint",
        ("fingerprint_hash",),
        ("agent", "detail"),
        first=("created_at", "origin"),
    ),
    Merged("agent_used_file", ("agent_fingerprint_id", "path")),
    Merged("http_body", ("content_hash",), ("body",)),
    Merged("evidence_set", ("set_hash",)),
    Merged("evidence_set_item", ("evidence_set_id", "page_id")),
    Merged("setup", ("setup_hash",), ("agent", "layer", "layer_version", "settings")),
    Merged(
        "case_revision",
        ("golden_case_id", "source_hash"),
        later=("equivalent_id",),
        first=("created_at",),
    ),
    Merged("revision_tag", ("revision_id", "tag")),
    Merged("revision_citation", ("revision_id", "position")),
    Merged("revision_text", ("revision_id", "field")),
    Merged("case_event", ("golden_case_id", "revision_id", "kind", "author", "reason", "at")),
    Merged("snapshot", ("snapshot_hash",), ("origin", "html")),
    Merged("page_check", ("page_id", "check_ulid")),
    Merged("recording", ("content_hash",), ("agent", "size"), first=("recorded_at",)),
    Merged("http_exchange", ("recording_id", "position")),
    Merged("current_recording", ("golden_case_id", "agent")),
    Merged("run", ("ulid",), ("started_at", "selection", "bundled", "git_revision")),
    Merged("evaluation", ("run_id", "golden_case_id", "repeat")),
    Merged("run_result", ("run_id", "golden_case_id")),
    Merged("rollup", ("agent", "run_id", "layer", "language")),
    Merged("judge_step", ("evaluation_id", "seq")),
    Merged("human_label", ("ulid",), ("verdict", "author", "node", "reason", "created_at")),
    Merged("baseline", ("ulid",), ("name", "case_set_hash", "reason", "approved_by")),
)
LOCAL = ("synced_file", "fetch_budget", "coverage_rule", "lint_fault", "linted_agent")
"""What holds for one machine's folders only, or is computed again."""


@dataclass(frozen=True)
class Shape:
    """A table's columns in order, and which of them refer to another table's key."""

    columns: tuple[str, ...]
    references: dict[str, str]

    @property
    def has_key(self) -> bool:
        """Whether rows have a local key that other tables refer to."""
        return "id" in self.columns


def shape_of(conn: Connection, table: str) -> Shape:
    """A table as it is in this schema."""
    columns = conn.execute("SELECT name FROM pragma_table_info(?) ORDER BY cid", (table,))
    names = tuple(row[0] for row in columns)
    keys = conn.execute('SELECT "from", "table" FROM pragma_foreign_key_list(?)', (table,))
    return Shape(names, {row[0]: row[1] for row in keys})
