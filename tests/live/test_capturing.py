"""Snapshots: built from the site, imported, refreshed and accepted; files and database agree."""

from __future__ import annotations

import gzip
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.domain.selections import Selection
from jw_eval_store.pages.manifest import MANIFEST, new_entry
from jw_eval_store.pages.reading import load_snapshots, read_manifest
from jw_eval_store.pages.writing import save_snapshot
from jw_eval_store.runs.capturing import import_snapshot
from jw_eval_store.runs.refreshing import accept_snapshots, refresh_snapshots
from jw_eval_store.runs.request import RunRequest
from jw_eval_store.runs.snapshots import verify_snapshots
from jw_eval_store.runs.suite import run_suite
from tests.fetching.replies import redirect
from tests.fetching.site import Reply
from tests.live.conftest import LiveProject
from tests.live.pages import FIRST, SENTENCES, TYPES, PageType, changed, numbered, of_type, without

CHAPTER, ARTICLE, PLAIN = of_type("chapter"), of_type("article"), of_type("plain")


def entries(project: LiveProject) -> dict[str, Any]:
    return {entry.fetch_key: entry for entry in read_manifest(project.root / "snapshots").snapshots}


def texts(project: LiveProject, key: str) -> list[str]:
    found, invalid = load_snapshots(project.root / "snapshots")
    assert invalid == ()
    (one,) = [snapshot for snapshot in found if snapshot.entry.fetch_key == key]
    return [passage.text for passage in one.evidence.passages]


def verified(project: LiveProject) -> tuple[int, list[str]]:
    count, faults = verify_snapshots(project.config, demonstration=False)
    return count, [fault.message for fault in faults]


def test_an_excerpt_keeps_what_carries_the_phrases_and_what_stands_around(
    project: LiveProject,
) -> None:
    key = project.page(CHAPTER, "a")
    (built,) = project.build()
    assert (built.outcome, built.ok) == ("stored", True)
    expected = [text for _, text in CHAPTER.passages()[FIRST - 1 : FIRST + 2]]
    assert [len(text) for text in texts(project, key)] == [len(text) for text in expected]
    entry = entries(project)[key]
    assert (entry.origin, entry.scope, entry.status) == ("captured", "excerpt", 200)
    assert (datetime.now(UTC) - entry.captured_at).total_seconds() < 60
    assert set(entry.versions) == {"reducer", "normaliser", "url"}
    assert entry.headers["content-type"] == "text/html"
    assert verified(project) == (1, [])


@pytest.mark.sampled(6)
@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: str(kind.name))
@pytest.mark.parametrize("scope", ["excerpt", "page"])
def test_every_type_of_page_becomes_evidence_that_holds_its_phrase(
    project: LiveProject, kind: PageType, scope: Any
) -> None:
    key = project.page(kind, "a", kind.html(seed=7))
    assert all(page.ok for page in project.build(scope=scope))
    held = texts(project, key)
    assert len(held) == (12 if scope == "page" else 3)
    assert "<script" not in (project.root / "snapshots" / entries(project)[key].file).read_text()
    assert project.live().results[0].verdict == "pass"


def test_one_page_is_fetched_once_and_kept_for_all_who_cite_it(project: LiveProject) -> None:
    key = project.page(CHAPTER, "a")
    project.case("b", CHAPTER.url + "#v=43:3:8", "burn without oil")
    project.case("c", CHAPTER.url, "planted in patience", layer="l3")
    project.build(selection=Selection(layers=("l2",), case_ids=("b",)))
    assert project.site.counted() == {CHAPTER.path: 1}
    assert len(texts(project, key)) == 3 + 3 + 2  # of the last sentence nothing follows


def test_missing_leaves_what_is_there_alone_and_all_does_not(project: LiveProject) -> None:
    project.page(CHAPTER, "a")
    project.build()
    other = project.page(ARTICLE, "b")
    assert [page.fetch_key for page in project.build()] == [other]
    assert project.build() == []
    assert len(project.build(everything=True)) == 2
    assert project.site.counted()[CHAPTER.path] == 2


def test_authored_evidence_does_not_count_as_there(project: LiveProject) -> None:
    key = project.page(CHAPTER, "a")
    entry = new_entry(CHAPTER.url, "authored", "page", "2026-03-01T12:00:00Z")
    save_snapshot(project.root / "snapshots", entry, CHAPTER.html())
    assert [page.fetch_key for page in project.build()] == [key]
    assert entries(project)[key].origin == "captured"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(status=404), "404"),
        (CHAPTER.html(article="no"), "no article"),
        (CHAPTER.html(tuple((a, "Other.") for a, _ in CHAPTER.passages()), language="de"), "de"),
        (redirect("https://example.com/"), "example.com"),
        (Reply("x", headers={"Content-Type": "text/plain"}), "not HTML"),
    ],
)
def test_what_is_not_the_page_is_never_stored(
    project: LiveProject, reply: Reply | str, reason: str
) -> None:
    project.page(CHAPTER, "a", reply)
    (built,) = project.build()
    assert built.outcome == "refused"
    assert reason in " ".join(built.reasons)
    assert not (project.root / "snapshots" / MANIFEST).exists()


def test_a_page_that_lacks_a_phrase_is_stored_and_says_for_whom(project: LiveProject) -> None:
    key = project.page(CHAPTER, "a", CHAPTER.html(without(CHAPTER.passages(), FIRST)))
    (built,) = project.build()
    assert (built.outcome, built.ok) == ("stored", False)
    assert [(one.case_id, one.phrases) for one in built.lacking] == [("a", (CHAPTER.phrase,))]
    assert 0 < len(texts(project, key)) < 12


def test_good_evidence_is_not_replaced_by_worse(project: LiveProject) -> None:
    key = project.page(CHAPTER, "a")
    project.build()
    before = texts(project, key)
    project.site.play(CHAPTER.path, CHAPTER.html(without(CHAPTER.passages(), FIRST)))
    (built,) = project.build(everything=True)
    assert built.outcome == "refused"
    assert "snapshots refresh" in built.reasons[0]
    assert texts(project, key) == before


def test_nothing_to_cite_is_said(project: LiveProject) -> None:
    project.page(CHAPTER, "a")
    with pytest.raises(EmptySelectionError, match="nope"):
        project.build(selection=Selection(layers=("l2",), case_ids=("nope",)))
    (project.root / "jw-eval.toml").write_text('cases = ["cases"]\n')
    with pytest.raises(UsageError, match="no folder of snapshots"):
        project.build()


def test_a_folder_that_is_missing_is_made_but_not_in_place_of_one_that_held_evidence(
    project: LiveProject,
) -> None:
    key = project.page(CHAPTER, "a")
    folder = project.root / "snapshots"
    folder.rmdir()
    assert [page.outcome for page in project.build()] == ["stored"]
    folder.rename(project.root / "moved")
    with pytest.raises(UsageError, match="does not exist"):
        project.build()
    assert not folder.exists()
    project.configure('db = "other.db"\n')
    import_snapshot(project.config, save(project, CHAPTER.html()), CHAPTER.cited_url)
    assert list(entries(project)) == [key]


def save(project: LiveProject, content: str | bytes, name: str = "saved.html") -> Path:
    path = project.root / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    os.utime(path, (1_700_000_000, 1_700_000_000))
    return path


def test_a_page_saved_by_hand_is_imported(project: LiveProject) -> None:
    key = project.page(CHAPTER, "a")
    done = import_snapshot(project.config, save(project, CHAPTER.html()), CHAPTER.cited_url)
    assert (done.outcome, done.fetch_key, done.ok) == ("stored", key, True)
    entry = entries(project)[key]
    assert (entry.origin, entry.captured_at.timestamp()) == ("imported", 1_700_000_000)
    assert verified(project) == (1, [])
    assert project.site.asked == []
    found = project.check()[key]
    assert found.status == "unchanged"


@pytest.mark.parametrize(
    ("content", "url", "message"),
    [
        (CHAPTER.html(article="no"), CHAPTER.url, "is not the page"),
        (ARTICLE.html(), CHAPTER.url, "no verse of book 43"),
        (gzip.compress(CHAPTER.html().encode()), CHAPTER.url, "is not the page"),
        ("", CHAPTER.url, "is not the page"),
        (CHAPTER.html(), "https://example.com/page", "not one of the hosts"),
        (CHAPTER.html(), "nonsense", "only https"),
    ],
)
def test_a_file_that_is_not_the_page_is_not_imported(
    project: LiveProject, content: str | bytes, url: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        import_snapshot(project.config, save(project, content), url)
    assert not (project.root / "snapshots" / MANIFEST).exists()


def test_a_file_that_is_missing_is_named(project: LiveProject) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.html can't be read"):
        import_snapshot(project.config, Path("nowhere.html"), CHAPTER.url)


def test_a_refreshed_page_waits_beside_the_old_one_until_it_is_accepted(
    project: LiveProject,
) -> None:
    key = project.page(CHAPTER, "a")
    project.build()
    before = texts(project, key)
    text = SENTENCES["en"][0].replace("before", "just before")
    project.site.play(CHAPTER.path, CHAPTER.html(changed(CHAPTER.passages(), FIRST, text)))
    (fresh,) = refresh_snapshots(project.config, [CHAPTER.url], web=project.web)
    assert (fresh.outcome, fresh.status, fresh.lacking) == ("waiting", "text_changed", ())
    assert texts(project, key) == before
    assert verified(project) == (1, [])
    assert project.rows("SELECT count(*), sum(current) FROM v_evidence") == [(2, 1)]

    (accepted,) = accept_snapshots(project.config, [key], reason="better spelling")
    assert accepted.ok
    assert text in texts(project, key)
    assert verified(project) == (1, [])
    sql = "SELECT current, reason FROM v_evidence ORDER BY captured_at, current"
    assert project.rows(sql) == [(0, None), (1, "better spelling")]
    assert entries(project)[key].note == "better spelling"
    assert project.check()[key].status == "unchanged"
    with pytest.raises(EmptySelectionError, match="waits to be accepted"):
        accept_snapshots(project.config, [])


def test_accepting_lists_the_cases_whose_phrases_are_lacking(project: LiveProject) -> None:
    key = project.page(CHAPTER, "a")
    project.case("b", CHAPTER.url, "planted in patience")
    project.build()
    project.site.play(CHAPTER.path, CHAPTER.html(without(CHAPTER.passages(), FIRST)))
    (fresh,) = refresh_snapshots(project.config, web=project.web)
    assert [one.case_id for one in fresh.lacking] == ["a"]
    (accepted,) = accept_snapshots(project.config)
    assert [one.case_id for one in accepted.lacking] == ["a"]
    verdicts = {result.case_id: result.verdict for result in project.live().results}
    assert verdicts == {"a": "fail", "b": "pass"}
    assert accepted.fetch_key == key


def test_a_moved_page_is_well_once_its_new_address_is_accepted(project: LiveProject) -> None:
    key = project.page(CHAPTER, "a")
    project.build()
    project.site.play(CHAPTER.path, redirect("/en/new/43/3"))
    project.site.play("/en/new/43/3", CHAPTER.html())
    assert project.check()[key].status == "moved"
    refresh_snapshots(project.config, web=project.web)
    assert project.check()[key].status == "moved"
    accept_snapshots(project.config, reason="moved")
    found = project.check()[key]
    assert (found.status, found.problem) == ("unchanged", False)
    project.site.play(CHAPTER.path, redirect("/en/newer/43/3"))
    project.site.play("/en/newer/43/3", CHAPTER.html())
    assert project.check()[key].status == "moved"


def test_a_page_that_is_gone_is_not_refreshed(project: LiveProject) -> None:
    project.page(CHAPTER, "a")
    project.build()
    project.site.play(CHAPTER.path, Reply(status=404))
    (fresh,) = refresh_snapshots(project.config, web=project.web)
    assert (fresh.outcome, fresh.status) == ("refused", "gone")
    with pytest.raises(EmptySelectionError):
        accept_snapshots(project.config)
    with pytest.raises(EmptySelectionError, match="has no captured or imported snapshot"):
        refresh_snapshots(project.config, ["https://wol.jw.org/other"], web=project.web)


def test_what_disagrees_is_found(project: LiveProject) -> None:
    key = project.page(CHAPTER, "a")
    project.build()
    folder = project.root / "snapshots"
    file = folder / entries(project)[key].file
    good = file.read_text()
    file.write_text(good.replace("seven", "eight"))
    assert "was changed" in verified(project)[1][0]
    other = new_entry(CHAPTER.url, "captured", "excerpt", "2026-03-01T12:00:00Z")
    save_snapshot(folder, other, good.replace("seven", "eight"))
    assert verified(project)[1] == [
        f"the database does not have this as the current evidence of {key}"
    ]
    (folder / "wol" / "stray.html").write_text("<p>")
    assert len(verified(project)[1]) == 2
    (folder / "wol" / "stray.html").unlink()
    project.check()
    assert verified(project) == (1, [])
    other_page = numbered(CHAPTER, 2)
    project.page(other_page, "b")
    project.build()
    save_snapshot(folder, other, good)
    manifest = (folder / MANIFEST).read_text()
    (folder / MANIFEST).write_text(manifest.replace(other_page.path, "/en/other"))
    assert any("the folder has none" in fault for fault in verified(project)[1])


def test_many_pages_are_written_in_batches_and_none_is_lost(project: LiveProject) -> None:
    kinds = [numbered(CHAPTER, number) for number in range(60)]
    for number, kind in enumerate(kinds):
        project.page(kind, f"case{number}")
    project.site.play(kinds[30].path, Reply(status=404))
    built = project.build()
    assert [page.outcome for page in built].count("stored") == 59
    assert verified(project) == (59, [])


def test_what_was_captured_before_an_interrupt_is_kept(project: LiveProject) -> None:
    for number in range(4):
        project.page(numbered(CHAPTER, number), f"case{number}")

    def stop(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        project.build(progress=stop)
    assert verified(project) == (3, [])
    assert len(project.build()) == 1


AGENT = """
def answer(question, **others):
    citation = {"url": "URL"}
    return {"query": question, "agent_name": "answerer", "findings": [
        {"summary": "Bread", "excerpt": "seven loaves", "citation": citation}]}
"""


def test_a_run_judges_by_what_was_captured(
    project: LiveProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.page(CHAPTER, "a")
    (project.root / "breadagent.py").write_text(AGENT.replace("URL", CHAPTER.cited_url))
    monkeypatch.syspath_prepend(str(project.root))
    project.configure('[agents.answerer]\ntarget = "breadagent:answer"\nisolation = "in_process"\n')
    report = run_suite(RunRequest(), project.config)
    assert [r.reason_code for r in report.results] == ["evidence_missing"]
    project.build()
    (result,) = run_suite(RunRequest(), project.config).results
    assert result.verdict == "pass"
    assert '"origin": "captured"' in json.dumps(result.details)
    project.site.play(CHAPTER.path, CHAPTER.html(without(CHAPTER.passages(), FIRST)))
    refresh_snapshots(project.config, web=project.web)
    assert run_suite(RunRequest(), project.config).results[0].verdict == "pass"
    accept_snapshots(project.config)
    (result,) = run_suite(RunRequest(), project.config).results
    assert result.verdict == "fail"
