"""A toolkit in another environment and Python, recorded once, gates offline; each break shows."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.foreign.conftest import Foreign
from tests.foreign.site import TOKEN


def test_the_gate_passes_offline_with_an_empty_database(foreign: Foreign) -> None:
    report = foreign.run()
    assert {r.case_id: (r.verdict, r.reasons) for r in report.results if r.verdict != "pass"} == {}
    assert (report.gate.verdict, report.gate.exit_code) == ("passed", 0)
    assert len(report.results) == 5


def test_without_recordings_every_case_says_what_is_missing(foreign: Foreign) -> None:
    shutil.rmtree(foreign.root / "recordings")
    report = foreign.run()
    assert {r.reason_code for r in report.results} == {"recording_miss"}
    assert report.gate.exit_code == 3


def test_no_secret_is_stored(recorded: Path) -> None:
    files = [p.read_bytes() for p in recorded.rglob("*") if p.is_file()]
    assert not any(TOKEN.encode() in content for content in files)
    with closing(sqlite3.connect(recorded / ".jw-eval" / "results.db")) as conn:
        headers = "".join(
            row[0] for row in conn.execute("SELECT request_headers FROM http_exchange")
        )
    assert "REDACTED" in headers


BREAKS = [
    (
        "source order",
        "verse_explainer.py",
        '("target_verse", "study_note")',
        '("study_note", "target_verse")',
        "verse_explainer",
        ("fail", None),
    ),
    (
        "lost citation",
        "shared.py",
        'Citation(f"https://wol.jw.org{path}", title',
        'Citation("", title',
        "research_topic",
        ("fail", None),
    ),
    (
        "forbidden word in an excerpt",
        "apologetics.py",
        "topic,\n                    {",
        'topic + " the immortal soul",\n                    {',
        "apologetics",
        ("fail", None),
    ),
    (
        "swallowed outage",
        "shared.py",
        '    reply = await client.get(\n        CDN + "/apis',
        '    import httpx; raise httpx.ConnectTimeout("timed out")\n'
        '    reply = await client.get(\n        CDN + "/apis',
        "research_topic",
        ("error", "agent_outage"),
    ),
    (
        "crash",
        "meeting_helper.py",
        "    for number in (1, 2):",
        "    import os; os._exit(1)\n    for number in (1, 2):",
        "meeting_helper",
        ("error", "agent_crash"),
    ),
    (
        "hang",
        "meeting_helper.py",
        "    for number in (1, 2):",
        "    import time; time.sleep(60)\n    for number in (1, 2):",
        "meeting_helper",
        ("error", "agent_timeout"),
    ),
    (
        "new unrecorded request",
        "research_topic.py",
        "search(client, topic, language)",
        'search(client, topic + " more", language)',
        "research_topic",
        ("error", "recording_miss"),
    ),
    (
        "stdout noise",
        "meeting_helper.py",
        "    for number in (1, 2):",
        '    print("{" * 9000)\n    for number in (1, 2):',
        "meeting_helper",
        ("pass", None),
    ),
]


@pytest.mark.parametrize(
    ("module", "old", "new", "agent", "expected"),
    [b[1:] for b in BREAKS],
    ids=[b[0] for b in BREAKS],
)
def test_a_break_gives_the_right_verdict_and_reason(
    foreign: Foreign, module: str, old: str, new: str, agent: str, expected: tuple[str, str | None]
) -> None:
    config = foreign.root / "jw-eval.toml"
    config.write_text(config.read_text().replace("timeout = 20", "timeout = 3"))
    foreign.edit(module, old, new)
    report = foreign.run()
    result = foreign.one(report, agent)
    assert (result.verdict, result.reason_code) == expected, result.reasons
    assert (report.gate.exit_code == 0) == (expected[0] == "pass")
    others = {r.agent for r in report.results if r.verdict == "pass"} - {agent}
    assert others


def test_a_wrong_url_fails_the_citation_layer(foreign: Foreign) -> None:
    foreign.edit("apologetics.py", "cite(path, book", 'cite(path.replace("/3#", "/4#"), book')
    report = foreign.run()
    result = next(r for r in report.results if r.layer == "l2")
    assert result.verdict == "fail"


def test_nondeterminism_is_seen_when_a_case_is_repeated(foreign: Foreign) -> None:
    foreign.edit("meeting_helper.py", "(1, 2):", "range(1, 2 + int.from_bytes(os.urandom(1))):")
    foreign.edit("meeting_helper.py", "import httpx", "import os\n\nimport httpx")
    foreign.run(repeat=3)
    with closing(sqlite3.connect(foreign.root / ".jw-eval" / "results.db")) as conn:
        outputs = conn.execute(
            "SELECT count(DISTINCT e.output_id) FROM evaluation e"
            " JOIN golden_case g ON g.id = e.golden_case_id WHERE g.case_id = 'meeting_helper_0'"
        ).fetchone()[0]
        steady = conn.execute(
            "SELECT count(DISTINCT e.output_id) FROM evaluation e"
            " JOIN golden_case g ON g.id = e.golden_case_id WHERE g.case_id = 'apologetics_0'"
        ).fetchone()[0]
    assert outputs > 1
    assert steady == 1


def reused(foreign: Foreign) -> set[str]:
    return {r.case_id for r in foreign.run(since="last").results if r.reused}


def test_an_edit_reruns_just_the_cases_whose_agent_used_the_file(foreign: Foreign) -> None:
    everything = {r.case_id for r in foreign.run().results}
    assert reused(foreign) == everything
    foreign.edit("research_topic.py", "Researches", "Looks into")
    assert reused(foreign) == everything - {"research_topic_0"}
    assert reused(foreign) == everything
    (foreign.toolkit / "prompts" / "comment.j2").write_text("Remark {number} on {text}\n")
    assert reused(foreign) == everything - {"meeting_helper_0"}
    (foreign.root / "notes.txt").write_text("an edit elsewhere")
    assert reused(foreign) == everything
    foreign.edit("shared.py", "What the agents share", "Shared")
    assert reused(foreign) == set()


def test_a_changed_recording_reruns_its_case(foreign: Foreign) -> None:
    everything = {r.case_id for r in foreign.run().results}
    path = foreign.root / "recordings" / "research_topic" / "research_topic_0.har"
    har = json.loads(path.read_text())
    last = har["log"]["entries"][-1]["response"]["content"]
    last["text"] = last["text"].replace("hit 0", "hit nine")
    path.write_text(json.dumps(har))
    assert reused(foreign) == everything - {"research_topic_0"}


def test_answers_are_kept_apart_from_home(foreign: Foreign, tmp_path: Path) -> None:
    foreign.run()
    assert not (Path.home() / ".jw_agents").exists()
