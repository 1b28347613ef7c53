"""The guard as the semantic layer takes it, with an identity for fingerprints."""

from __future__ import annotations

from functools import cached_property
from importlib.resources import files

from jw_eval_store.domain.hashing import json_hash
from jw_eval_store.domain.matching import Flag, LiteralAgreement, TopicMatch
from jw_eval_store.judges import literal
from jw_eval_store.judges.guard import guard

GUARD_VERSION = "3"
"""Grows whenever a rule of the guard may give another flag; lists are hashed beside it."""


class WordGuard:
    """Differences by words: small lists and lemmas of es, en and pt, no model."""

    def flags(self, topic: TopicMatch, language: str) -> tuple[Flag, ...]:
        """Differences between golden sentences and their matches."""
        return guard.flags(topic.matches, language)

    def agreement(
        self, topic: TopicMatch, flags: tuple[Flag, ...], language: str
    ) -> LiteralAgreement:
        """Whether the candidate says the golden answer in its own words."""
        return literal.near_literal(topic, flags, language)

    @cached_property
    def identity_hash(self) -> str:
        """Content address of the version and the word lists."""
        lists = files("jw_eval_store.judges.guard").joinpath("data")
        texts = {each.name: each.read_text("utf-8") for each in lists.iterdir()}
        return json_hash([GUARD_VERSION, texts])
