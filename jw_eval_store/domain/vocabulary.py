"""The closed lists of words: layers, verdicts, reason codes. Light: what only reads starts here."""

from __future__ import annotations

from typing import Literal

Layer = Literal["l1", "l2", "l3"]
LAYERS: tuple[Layer, ...] = ("l1", "l2", "l3")

Verdict = Literal["pass", "fail", "skip", "error"]
VERDICTS: tuple[Verdict, ...] = ("pass", "fail", "skip", "error")

NoAnswer = Literal[
    "agent_crash",
    "agent_timeout",
    "agent_outage",
    "agent_bad_output",
    "agent_unavailable",
    "recording_miss",
    "internal_error",
]
"""Reason codes where there is no answer to judge."""

ReasonCode = Literal[
    "case_cannot_fail",
    NoAnswer,
    "evidence_missing",
    "evidence_origin",
    "evidence_blocked",
    "evidence_unreachable",
    "evidence_unreadable",
    "no_judge",
    "judge_unreachable",
    "judge_malformed",
    "judge_budget",
    "judge_cut",
    "judges_disagree",
    "embedder_unavailable",
    "not_run",
]
"""Why a case could not be decided. An error is neither a pass nor a fail."""
