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


@pytest.mark.sampled(3)
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
    report = foreign.run(agent)
    result = foreign.one(report, agent)
    assert (result.verdict, result.reason_code) == expected, result.reasons
    assert report.gate.exit_code == {"pass": 0, "fail": 1, "error": 3}[result.verdict]


def test_the_cases_of_other_agents_go_on_beside_a_crash(foreign: Foreign) -> None:
    foreign.edit(
        "meeting_helper.py", "    for number", "    import os; os._exit(1)\n    for number"
    )
    verdicts = {r.agent: r.verdict for r in foreign.run().results}
    assert verdicts.pop("meeting_helper") == "error"
    assert set(verdicts.values()) == {"pass"}


def test_a_wrong_url_fails_the_citation_layer(foreign: Foreign) -> None:
    foreign.edit("apologetics.py", "cite(path, book", 'cite(path.replace("/3#", "/4#"), book')
    report = foreign.run("apologetics")
    result = next(r for r in report.results if r.layer == "l2")
    assert result.verdict == "fail"


def test_nondeterminism_is_seen_when_a_case_is_repeated(foreign: Foreign) -> None:
    foreign.edit("meeting_helper.py", "(1, 2):", "range(1, 2 + int.from_bytes(os.urandom(1))):")
    foreign.edit("meeting_helper.py", "import httpx", "import os\n\nimport httpx")
    foreign.run("meeting_helper", "verse_explainer", repeat=3)
    with closing(sqlite3.connect(foreign.root / ".jw-eval" / "results.db")) as conn:
        outputs = conn.execute(
            "SELECT count(DISTINCT e.output_id) FROM evaluation e"
            " JOIN golden_case g ON g.id = e.golden_case_id WHERE g.case_id = 'meeting_helper_0'"
        ).fetchone()[0]
        steady = conn.execute(
            "SELECT count(DISTINCT e.output_id) FROM evaluation e"
            " JOIN golden_case g ON g.id = e.golden_case_id WHERE g.case_id = 'verse_explainer_0'"
        ).fetchone()[0]
    assert outputs > 1
    assert steady == 1


def asked(foreign: Foreign) -> dict[str, str]:
    """Cases that were asked again, and why."""
    report = foreign.run(since="last", explain=True)
    return {r.case_id: r.why for r in report.results if not r.reused}


def test_an_edit_reruns_just_the_cases_whose_agent_used_the_file(foreign: Foreign) -> None:
    foreign.run()
    (foreign.root / "notes.txt").write_text("an edit elsewhere")
    foreign.edit("research_topic.py", "Researches", "Looks into")
    again = asked(foreign)
    assert list(again) == ["research_topic_0"]
    assert "research_topic.py" in again["research_topic_0"]
    (foreign.toolkit / "prompts" / "comment.j2").write_text("Remark {number} on {text}\n")
    assert list(asked(foreign)) == ["meeting_helper_0"]
    assert asked(foreign) == {}
    foreign.edit("shared.py", "What the agents share", "Shared")
    assert len(asked(foreign)) == 5


def test_a_changed_recording_reruns_its_case(foreign: Foreign) -> None:
    foreign.run("research_topic", "meeting_helper")
    path = foreign.root / "recordings" / "research_topic" / "research_topic_0.har"
    har = json.loads(path.read_text())
    last = har["log"]["entries"][-1]["response"]["content"]
    last["text"] = last["text"].replace("hit 0", "hit nine")
    path.write_text(json.dumps(har))
    report = foreign.run("research_topic", "meeting_helper", since="last")
    assert [r.case_id for r in report.results if not r.reused] == ["research_topic_0"]


def test_answers_are_kept_apart_from_home(foreign: Foreign, tmp_path: Path) -> None:
    foreign.run("verse_explainer")
    assert not (Path.home() / ".jw_agents").exists()
