"""Many rows as a file: CSV, JSON lines or Parquet, written in parts, so that memory stays small."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from jw_eval_store.domain.errors import UsageError

Rows = Iterator[tuple[Any, ...]]
SUFFIXES = {"parquet": "parquet", "csv": "csv", "jsonl": "jsonl"}
_PART = 50_000
"""Rows held at once."""


def write_table(path: Path, form: str, columns: Mapping[str, str], rows: Rows) -> int:
    """Write rows to a file of that form; returns how many. Raises UsageError without pyarrow.

    The file appears when it is whole, and its folder not before it can be written.
    """
    if form == "parquet":
        _need_pyarrow()
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.part")
    try:
        count = _WRITERS[form](draft, columns, rows)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return count


def _csv(path: Path, columns: Mapping[str, str], rows: Rows) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        while part := list(islice(rows, _PART)):
            writer.writerows(part)
            count += len(part)
    return count


def _jsonl(path: Path, columns: Mapping[str, str], rows: Rows) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            value = dict(zip(columns, _typed(columns, row), strict=True))
            file.write(json.dumps(value, ensure_ascii=False) + "\n")
            count += 1
    return count


def _typed(columns: Mapping[str, str], row: tuple[Any, ...]) -> list[Any]:
    return [
        bool(value) if kind == "boolean" and value is not None else value
        for kind, value in zip(columns.values(), row, strict=True)
    ]


def _need_pyarrow() -> None:
    try:
        import pyarrow.parquet  # noqa: F401  (is it there at all?)
    except ImportError as error:
        raise UsageError(
            "Parquet files need pyarrow",
            hint="pip install 'jw-eval-store[export]', or --format csv",
        ) from error


def _parquet(path: Path, columns: Mapping[str, str], rows: Rows) -> int:
    import pyarrow as arrow
    from pyarrow import parquet

    kinds = {"string": arrow.string(), "integer": arrow.int64(), "real": arrow.float64(),
             "boolean": arrow.bool_(), "timestamp": arrow.timestamp("ms", "UTC")}  # fmt: skip
    schema = arrow.schema([(name, kinds[kind]) for name, kind in columns.items()])
    count = 0
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while part := list(islice(rows, _PART)):
            arrays = [
                _array(arrow, list(values), kind, kinds[kind])
                for values, kind in zip(zip(*part, strict=True), columns.values(), strict=True)
            ]
            writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))
            count += len(part)
    return count


def _array(arrow: Any, values: list[Any], kind: str, target: Any) -> Any:
    if kind == "timestamp":
        from datetime import datetime

        values = [None if v is None else datetime.fromisoformat(v) for v in values]
    if kind == "boolean":
        values = [None if v is None else bool(v) for v in values]
    return arrow.array(values, type=target)


_WRITERS = {"csv": _csv, "jsonl": _jsonl, "parquet": _parquet}
