from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.reports.formats import FORMATS, reporter
from jw_eval_store.reports.interface import Page, Reporter
from jw_eval_store.reports.write import append_report, write_report


def test_a_report_is_put_in_its_place_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "report.md"
    write_report(path, "old\n")
    write_report(path, "new ñ \ud800\n")
    assert path.read_text(encoding="utf-8") == "new ñ ?\n"
    assert [p.name for p in path.parent.iterdir()] == ["report.md"]


def test_others_may_read_it_as_the_umask_says(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        write_report(tmp_path / "r", "x")
    finally:
        os.umask(before)
    assert (tmp_path / "r").stat().st_mode & 0o777 == 0o644


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_report(tmp_path / "link", "x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "x"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write_report(pipe, "through")
    reader.join(10)
    assert got == ["through"]
    assert pipe.is_fifo()


def test_a_failed_write_keeps_the_old_report(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="directory"):
        write_report(tmp_path, "x")
    (tmp_path / "file").write_text("x")
    with pytest.raises(OSError, match=r"exists|[Nn]ot a directory"):
        write_report(tmp_path / "file" / "below", "x")
    assert (tmp_path / "file").read_text() == "x"


def test_appending_keeps_what_others_wrote(tmp_path: Path) -> None:
    path = tmp_path / "summary"
    path.write_text("before\n")
    append_report(path, "after\n")
    assert path.read_text() == "before\nafter\n"


@pytest.mark.parametrize("name", [*FORMATS, "MARKDOWN", "xml"])
def test_every_format_has_its_reporter(name: str) -> None:
    assert isinstance(reporter(name, Page(80)), Reporter)


def test_an_unknown_format_names_the_nearest() -> None:
    with pytest.raises(UsageError) as caught:
        reporter("jsn")
    assert caught.value.hint == "did you mean json?"
    with pytest.raises(UsageError) as caught:
        reporter("pdf!")
    assert "text, json, md" in (caught.value.hint or "")
