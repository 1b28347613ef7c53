"""Where the judge graphs are that cases name as files: beside the case, as people write them."""

from __future__ import annotations

from pathlib import Path

from jw_eval_store.store.connect import Connection
from jw_eval_store.store.rows import tuples

_NAMED = """
    SELECT g.case_id, f.path, json_extract(r.definition, '$.judge.graph') AS graph
    FROM case_revision r
    JOIN golden_case g ON g.current_revision_id = r.id
    JOIN synced_file f ON f.revision_id = r.id AND f.kind = 'case'
    WHERE r.layer = 'l3' AND graph LIKE '%.y%ml' ORDER BY f.path
"""


def files_of_graphs(conn: Connection) -> dict[str, Path]:
    """By case id: its graph's file, where there is one beside the case's own.

    Where there is none, the graph is looked for in the project's folder.
    """
    named = ((case, Path(path).parent / graph) for case, path, graph in tuples(conn, _NAMED))
    return {case: file for case, file in named if file.is_file()}
