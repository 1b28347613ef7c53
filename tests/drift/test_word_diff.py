"""What changed, word by word."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.domain.checks import CitationCheck, PageCheck, PassageChange
from jw_eval_store.reports.drift import checks_report, drift_report
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.words import marked_diff, word_diff
from jw_eval_store.text.normal import normal

OLD = "The baker carried seven loaves to the market."
NEW = "The baker never carried eight loaves to the market."


def test_only_what_differs_is_marked() -> None:
    assert marked_diff(OLD, NEW) == (
        "The baker {+never+} carried [-seven-] {+eight+} loaves to the market."
    )
    assert marked_diff("a\u00a0b “c”", 'A b "c"') == 'A b "c"'
    assert marked_diff("", "new") == "{+new+}"
    assert marked_diff("old", "") == "[-old-]"


@given(st.text(), st.text())
def test_both_texts_can_be_read_off(old: str, new: str) -> None:
    parts = list(word_diff(old, new))
    for side, text in (("old", old), ("new", new)):
        read = " ".join(part.text for part in parts if part.side in ("both", side))
        assert normal(read) == normal(" ".join(text.split()))


def looked(status: str, **fields: object) -> PageCheck:
    told = {"fetch_key": f"https://wol.jw.org/{status}", "status": status, "problem": False,
            "checked_at": "2026-05-30T06:00:00.000Z"}  # fmt: skip
    return PageCheck.model_validate(told | fields)


CHANGE = PassageChange(anchor="v43:3:16", old=OLD, new=NEW, difference="negation: “never”")
WRONG = looked(
    "claim_changed",
    problem=True,
    reasons=("a: negation",),
    passages=(CHANGE.model_copy(update={"difference": ""}),),
    citations=(
        CitationCheck(
            case_id="a", url="u", status="claim_changed", problem=True, passages=(CHANGE,)
        ),
    ),
)


def test_old_and_new_stand_beside_each_other() -> None:
    text = drift_report([looked("unchanged"), WRONG], "text", Page(100))
    (line,) = [line for line in text.splitlines() if line.startswith("was ")]
    assert line.index("now ") > 40
    assert "{+never+}" in text
    assert "[-seven-]" in text
    assert text.count("v43:3:16") == 1
    assert "/unchanged" not in text
    assert "\x1b" not in text


def test_a_narrow_terminal_has_them_below_each_other_and_a_colourful_one_in_colour() -> None:
    narrow = drift_report([WRONG], "text", Page(50)).splitlines()
    assert any(line.startswith("  was:") for line in narrow)
    assert any(line.startswith("  now:") for line in narrow)
    colourful = drift_report([WRONG], "text", Page(100, color=True))
    assert "\x1b[32m" in colourful
    assert "{+" not in colourful


def test_what_is_gone_or_new_is_said() -> None:
    gone = PassageChange(anchor="", old="Old text.", new=None)
    text = drift_report([looked("text_changed", passages=(gone,))], "text", Page(100))
    assert "(not there)" in text
    assert "(no anchor)" in text


def test_no_change_is_said_and_json_tells_all() -> None:
    assert drift_report([looked("unchanged")], "text") == "no change on 1 page\n"
    told = json.loads(drift_report([WRONG, looked("unchanged")], "json"))
    assert [page["status"] for page in told] == ["claim_changed", "unchanged"]


def test_a_check_lists_problems_first() -> None:
    text = checks_report([looked("unchanged"), looked("blocked"), WRONG], "text")
    assert [line.split()[0] for line in text.splitlines() if line[0] != " "] == [
        "PROBLEM", "undecided", "ok", "3",
    ]  # fmt: skip
    assert "3 pages: 1 problem, 1 undecided" in text


def test_control_characters_of_pages_reach_no_terminal() -> None:
    evil = PassageChange(anchor="p1", old="\x1b[2J wiped", new="\x9b31m")
    text = drift_report([looked("text_changed", passages=(evil,))], "text", Page(100))
    assert "\x1b" not in text
    assert "\x9b" not in text
