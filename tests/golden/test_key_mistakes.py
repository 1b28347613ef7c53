"""Every key of every layer, mistyped, doubled, missing or without a value: refused at its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from jw_eval_store.golden.reading import ReadCase, folder_layer, read_case

SPECIFIED = sorted((Path(__file__).parent / "specified").rglob("*.yaml"))
REQUIRED = {
    "l1": {"id", "agent", "input", "expected"},
    "l2": {"id", "agent", "input", "expected_citations", "support_phrases"},
    "l3": {"id", "agent", "input", "golden_answer"},
}


def _keys(path: Path) -> list[tuple[int, str]]:
    """The keys with a schema, each with its line from 0."""
    found = []
    section = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")):
        key, colon, _ = line.partition(":")
        if not colon or not key.strip().isidentifier():
            continue
        section = key if not line.startswith(" ") else section
        if section in ("input", "metadata") and line.startswith(" "):
            continue
        found.append((number, key.strip()))
    return found


KEYS = [
    pytest.param(path, number, key, id=f"{path.parent.name}-{key}")
    for path in SPECIFIED
    for number, key in _keys(path)
]
VARIANTS = {
    "letter_missing": lambda key: key[:2] + key[3:] if len(key) > 2 else key[:1],
    "letter_doubled": lambda key: key[:2] + key[1:],
    "capital": lambda key: key.capitalize(),
    "hyphens": lambda key: key.replace("_", "-") if "_" in key else key + "-",
    "zero_width_blank": lambda key: key + "\u200b",
}


def _read(path: Path, text: str) -> ReadCase | list[tuple[int | None, str, str]]:
    read = read_case(str(path), text.encode(), folder_layer(path))
    if isinstance(read, ReadCase):
        return read
    assert all(problem.path == str(path) for problem in read)
    return [(problem.line, problem.message, problem.hint or "") for problem in read]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")


def test_the_table_is_large_enough() -> None:
    assert len(KEYS) * (len(VARIANTS) + 3) >= 200


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("path", "number", "key"), KEYS)
def test_a_mistyped_key_is_refused_with_the_right_one(
    path: Path, number: int, key: str, variant: str
) -> None:
    lines = _lines(path)
    typo = VARIANTS[variant](key)
    lines[number] = lines[number].replace(key, typo, 1)
    problems = _read(path, "\n".join(lines))
    assert isinstance(problems, list)
    written = typo.replace("\u200b", "\\u200b")
    about = [p for p in problems if f"{written}`" in p[1] and "unknown key" in p[1]]
    assert [p[0] for p in about] == [number + 1]
    assert key in about[0][2]


@pytest.mark.parametrize(("path", "number", "key"), KEYS)
def test_a_key_that_stands_twice_is_refused_naming_both_lines(
    path: Path, number: int, key: str
) -> None:
    lines = _lines(path)
    indent = " " * (len(lines[number]) - len(lines[number].lstrip()))
    following = (n for n in range(number + 1, len(lines)) if _starts(lines[n], indent))
    at = next(following, len(lines) - 1)
    lines.insert(at, f"{indent}{key}: again")
    problems = _read(path, "\n".join(lines))
    message = f"key '{key}' stands twice, first in line {number + 1}"
    assert problems == [(at + 1, message, "keep one of them")]


def _starts(line: str, indent: str) -> bool:
    return len(line) - len(line.lstrip()) <= len(indent)


@pytest.mark.parametrize(("path", "number", "key"), KEYS)
def test_a_key_without_its_value_is_refused(path: Path, number: int, key: str) -> None:
    lines = _lines(path)
    indent = len(lines[number]) - len(lines[number].lstrip())
    below = next(
        (n for n in range(number + 1, len(lines)) if _starts(lines[n], " " * indent)), len(lines)
    )
    lines[number : max(below, number + 1)] = [f"{' ' * indent}{key}:"]
    problems = _read(path, "\n".join([*lines, ""]))
    assert isinstance(problems, list)
    assert problems[0][0] == number + 1
    assert f"{key}`" in problems[0][1]


@pytest.mark.parametrize(
    ("path", "number", "key"), [param for param in KEYS if param.values[1] is not None]
)
def test_a_missing_key_is_refused_if_required_and_else_read_as_absent(
    path: Path, number: int, key: str
) -> None:
    lines = _lines(path)
    indent = len(lines[number]) - len(lines[number].lstrip())
    below = next(
        (n for n in range(number + 1, len(lines)) if _starts(lines[n], " " * indent)), len(lines)
    )
    del lines[number : max(below, number + 1)]
    read = _read(path, "\n".join([*lines, ""]))
    if key in REQUIRED[path.parent.name]:
        assert isinstance(read, list)
        assert key in read[0][1] or "no support phrase" in read[0][1]
    else:
        assert isinstance(read, ReadCase)
        assert not any(name.split(".")[-1] == key for name in read.lines)


def test_a_list_whose_items_are_refused_is_not_called_empty_too() -> None:
    case = "id: a\nagent: b\ninput: {q: x}\nsupport_phrases: [x]\nexpected_citations: "
    bad = read_case("a.yaml", f'{case}["ftp://x/y"]\n'.encode(), "l2")
    assert isinstance(bad, list)
    assert [problem.message for problem in bad] == [
        "`expected.expected_citations.0.url` 'ftp://x/y' is not of the right form"
    ]
    empty = read_case("a.yaml", f"{case}[]\n".encode(), "l2")
    assert isinstance(empty, list)
    assert [problem.message for problem in empty] == ["`expected.expected_citations` '[]' is empty"]
