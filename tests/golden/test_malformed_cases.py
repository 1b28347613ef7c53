"""Hand-made mistakes in case files: each is refused at its line with its cause, or loads right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jw_eval_store.golden.nodes import PARSERS, parse
from jw_eval_store.golden.reading import ReadCase, read_case
from jw_eval_store.golden.syntax import decode

HERE = Path(__file__).parent / "specified"
L1 = (HERE / "l1/apologetics_trinity_es.yaml").read_text(encoding="utf-8")
L2 = (HERE / "l2/verse_john_3_16_es.yaml").read_text(encoding="utf-8")
L3 = (HERE / "l3/trinity_doctrine.yaml").read_text(encoding="utf-8")
TEXTS = {"l1": L1, "l2": L2, "l3": L3}

REFUSED: list[tuple[str, str, str, int | None, str]] = [
    # layer, what is replaced, by what, line of the refusal, words of its message
    ("l1", "min_findings: 3", "min_findings: three", 7, "'three' is not a whole number"),
    ("l1", "min_findings: 3", "min_findings: 3.5", 7, "'3.5' is not a whole number"),
    ("l1", "min_findings: 3", "min_findings: true", 7, "'true' is not a whole number"),
    ("l1", "min_findings: 3", "min_findings: [3]", 7, "should be a valid integer"),
    ("l1", "min_findings: 3", "min_findings: -1", 7, "greater than or equal to 0"),
    ("l1", "min_findings: 3", "min_findings: 0x10", 7, "not a whole number"),
    ("l1", "min_findings: 3", "min_findings: 1:30", 7, "not a whole number"),
    ("l1", "min_findings: 3", "min_findings: null", 7, "has no value"),
    ("l1", "min_findings: 3", "min_findings: ~", 7, "has no value"),
    ("l1", "min_findings: 3", "min_findings:3", 8, "mapping values"),
    ("l1", "min_findings: 3", "min_findings 3", 8, "mapping values"),
    ("l1", "min_findings: 3", "min_findings: !!int 3", 7, "tag"),
    ("l1", "min_findings: 3", "min_findings: &n 3", 7, "anchors"),
    ("l1", "min_findings: 3", "min_findings: *n", 7, "alias"),
    ("l1", "min_findings: 3", "<<: {min_findings: 3}", 7, "merge keys"),
    ("l1", "min_findings: 3", "\tmin_findings: 3", 7, "start any token"),
    ("l1", "  min_findings: 3", "\tmin_findings: 3", 7, "start any token"),
    ("l1", "  min_findings: 3", "   min_findings: 3", 8, "is not YAML"),
    ("l1", "  min_findings: 3", "min_findings: 3", 8, "is not YAML"),
    ("l1", "must_have_citation: true", "must_have_citation: maybe", 12, "neither true nor false"),
    ("l1", "must_have_citation: true", "must_have_citation: tru", 12, "neither true nor false"),
    ("l1", "must_have_citation: true", "must_have_citation: 2", 12, "neither true nor false"),
    ("l1", "source: topic_index", "source: {topic_index: 1}", 11, "is not a list"),
    ("l1", "- topic_index", "- [topic_index]", 9, "is not a text"),
    ("l1", "- topic_index", "- topic_index: true", 9, "is not a text"),
    ("l1", "- topic_index", "-", 9, "has no value"),
    ("l1", "- topic_index", "- null", 9, "has no value"),
    ("l1", "- topic_index", '- ""', 9, "is blank"),
    ("l1", "- topic_index", '- " "', 9, "is blank"),
    ("l1", "- topic_index", "-topic_index", 9, "continues this text"),
    ("l1", "- topic_index", "- @topic_index", 9, "cannot start any token"),
    ("l1", "- topic_index", "- `topic_index`", 9, "cannot start any token"),
    ("l1", "- topic_index", "- topic #index", 9, "text ends at the #"),
    ("l1", "- topic_index", "- %topic", 9, "cannot start any token"),
    ("l1", "- topic_index", "- *topic", 9, "alias"),
    ("l1", "- topic_index", "- !topic index", 9, "tag"),
    ("l1", "- topic_index", '- "topic" index', 9, "is not YAML"),
    ("l1", '"podría ser"', '"podría ser', 15, "end of stream"),
    ("l1", '"podría ser"', "'podría ser", 15, "end of stream"),
    ("l1", '"podría ser"', r'"podría \ser"', 15, "escape"),
    ("l1", '"podría ser"', r'"\ud83d"', 15, "escape"),
    ("l1", '"podría ser"', r'"podría\0ser"', 15, "character that is none"),
    ("l1", '"podría ser"', '"podría\u2028ser"', 15, "U+2028"),
    ("l1", '"podría ser"', '"podría\u2029ser"', 15, "U+2029"),
    ("l1", '"podría ser"', '"podría\x85ser"', 15, "U+0085"),
    ("l1", '"podría ser"', '"podría\rser"', 15, "U+000D"),
    ("l1", '"podría ser"', '"podría\x07ser"', 15, "U+0007"),
    ("l1", '"podría ser"', '"podría\x00ser"', 15, "U+0000"),
    ("l1", "expected:\n", "expected: yes\nrest:\n", 6, "'yes' holds no keys"),
    ("l1", "expected:\n", "expected: []\nrest:\n", 6, "holds no keys"),
    ("l1", "expected:\n", "expected:\n  must_have_cite: true\n", 7, "unknown key"),
    (
        "l1",
        "expected:\n",
        "expected: {must_have_citation: false}\nmetadata:\n",
        6,
        "expects nothing",
    ),
    ("l1", "expected:\n", "expected: {}\nmetadata:\n", 6, "expects nothing"),
    ("l1", "expected:\n", "expected: {min_findings: 0}\nmetadata:\n", 6, "could fail"),
    ("l1", "expected:\n", "expected: {sources_order: first_seen}\nmetadata:\n", 6, "could fail"),
    ("l1", '"podría ser"', '"\\u200b\\ufeff"', 15, "`expected.forbidden_keywords_in_findings.1`"),
    ("l1", '"podría ser"', "'¿'", 15, "'¿' holds nothing that could be found"),
    ("l1", "expected:\n", "min_findings: 1\nexpected:\n", 6, "unknown key `min_findings`"),
    ("l1", "expected:\n", "golden_answer: x\nexpected:\n", 6, "unknown key `golden_answer`"),
    ("l1", "expected:\n", "judge: {}\nexpected:\n", 6, "unknown key `judge`"),
    ("l1", "expected:\n", "expected:\n  sources_order: sorted\n", 7, "'prefix', 'first_seen'"),
    ("l1", "input:\n", "layer: l2\ninput:\n", 3, "folder says l1"),
    ("l1", "input:\n", "layer: L1\ninput:\n", 3, "`layer` 'L1' is unknown"),
    ("l1", "input:\n", "layer: 1\ninput:\n", 3, "`layer` '1' is unknown"),
    ("l1", "input:\n", "layer: [l1]\ninput:\n", 3, "is unknown"),
    ("l1", "input:\n", 'layer: ""\ninput:\n', 3, "is unknown"),
    ("l1", "input:\n", "layer:\ninput:\n", 3, "has no value"),
    ("l1", "input:\n", "now: 2024\ninput:\n", 3, "'2024' is not a date"),
    ("l1", "input:\n", "now: yesterday\ninput:\n", 3, "is not a date"),
    ("l1", "input:\n", "now: 2024-13-01\ninput:\n", 3, "`now`"),
    ("l1", "input:\n", "now: 30.5.2026\ninput:\n", 3, "is not a date"),
    ("l1", "input:\n", "lint: {some-rule: ''}\ninput:\n", 3, "`lint.some-rule` is blank"),
    ("l1", "input:\n", "lint: {some-rule: }\ninput:\n", 3, "has no value"),
    ("l1", "input:\n", "lint: some-rule\ninput:\n", 3, "holds no keys"),
    ("l1", "input:\n", "lint: [some-rule]\ninput:\n", 3, "holds no keys"),
    ("l1", "input:\n", "metadata: doctrine\ninput:\n", 3, "holds no keys"),
    ("l1", "input:\n", "metadata: [a]\ninput:\n", 3, "holds no keys"),
    ("l1", "input:\n", "metadata: {a: 1e999}\ninput:\n", 3, "beyond the numbers"),
    ("l1", "input:\n", f"metadata: {{a: {'9' * 30}}}\ninput:\n", 3, "64 bits"),
    ("l1", "input:\n", f"metadata: {{a: {'9' * 9000}}}\ninput:\n", 3, "64 bits"),
    ("l1", "input:\n", "metadata: {a, b}\ninput:\n", 3, "has no value"),
    ("l1", "input:\n", "metadata: {? a : b}\nx: 1\ninput:\n", 4, "unknown key `x`"),
    ("l1", "input:\n", "metadata: {[a]: b}\ninput:\n", 3, "a key must be a text"),
    ("l1", "input:\n", "? [a]\n: b\ninput:\n", 3, "a key must be a text"),
    ("l1", "input:\n", "'': b\ninput:\n", 3, "a key must be a text"),
    ("l1", "input:\n", ": b\ninput:\n", 3, "is not YAML"),
    ("l1", "input:\n", f"metadata: {'[' * 60}{']' * 60}\ninput:\n", 3, "levels deep"),
    ("l1", "input:\n", f"metadata: {'[' * 9000}\ninput:\n", 3, "nesting depth"),
    ("l1", "input:\n", "metadata: {a: {b: [1, 2}\ninput:\n", 3, "is not YAML"),
    ("l1", 'question: "¿Es la Trinidad bíblica?"', "question: Dios: amor", 4, "mapping values"),
    ("l1", 'question: "¿Es la Trinidad bíblica?"', "question: Trinidad #1", 4, "ends at the #"),
    ("l1", 'question: "¿Es la Trinidad bíblica?"', 'question: "Es "la" fe"', 4, "is not YAML"),
    ("l1", "  language: es\n", "  language: es\n  language: en\n", 6, "stands twice"),
    ("l1", "  language: es\n", "   language: es\n", 5, "is not YAML"),
    ("l1", "  language: es\n", " language: es\n", 5, "is not YAML"),
    ("l1", "  language: es\n", "  language: es\n  - x\n", 6, "is not YAML"),
    ("l1", "id: l1_", "id: l1 ", 1, "not of the right form"),
    ("l1", "id: l1_", "id: -l1_", 1, "not of the right form"),
    ("l1", "id: l1_", "id: ../l1_", 1, "not of the right form"),
    ("l1", "id: l1_", "id: é", 1, "not of the right form"),
    ("l1", "id: l1_", f"id: {'x' * 120}", 1, "at most 120"),
    ("l1", "id: l1_", "id: [l1_a]\nx: ", 1, "is not a text"),
    ("l1", "id: l1_", "- id: l1_", 2, "is not YAML"),
    ("l1", "agent: apologetics", "agent: apolo getics", 2, "not of the right form"),
    ("l1", "agent: apologetics", "agent: apologetics\ufeff", 2, "not of the right form"),
    ("l1", "agent: apologetics", "agent: 3", 2, "not of the right form"),
    ("l1", "agent: apologetics", "agent: |\n  apologetics", 2, "not of the right form"),
    ("l1", "agent: apologetics", "agent: {name: x}", 2, "is not a text"),
    ("l1", "agent: apologetics", "agent: apologetics\n---\nid: b", 3, "several documents"),
    ("l1", "agent: apologetics", "agent: apologetics\n...\nid: b", 4, "document start"),
    ("l2", "https://wol.jw.org/es/wol", "wol.jw.org/es/wol", 7, "not of the right form"),
    ("l2", "https://wol.jw.org/es/wol", "ftp://wol.jw.org/es/wol", 7, "not of the right form"),
    ("l2", "https://wol.jw.org/es/wol", "https:///es/wol", 7, "not of the right form"),
    ("l2", "https://wol.jw.org/es/wol", "link: https://wol.jw.org/es/wol", 7, "unknown key"),
    ("l2", "https://wol.jw.org/es/wol", "url: x", 7, "not of the right form"),
    ("l2", "- https://wol.jw.org/es/wol", "- 3\n  - https://wol.jw.org/es", 7, "right form"),
    ("l2", "- https://wol.jw.org/es/wol", "-\n  - https://wol.jw.org/es", 7, "has no value"),
    ("l2", "  - https://wol.jw.org/es/wol", "  a: https://wol.jw.org/es/wol", 6, "not a list"),
    ("l2", "support_phrases: ", "support_phrases: []\nphrases: ", 9, "unknown key `phrases`"),
    ("l2", "support_phrases: ", "support_phrases: ''\nmetadata: ", 8, "is blank"),
    ("l2", "support_phrases: ", "expected: {support_phrases: [a]}\nsupport_phrases: ", 9, "under"),
    ("l2", "support_phrases: ", "expected: [a]\nsupport_phrases: ", 8, "holds no keys"),
    ("l2", "support_phrases: ", "must_have_source: a\nsupport_phrases: ", 8, "unknown key"),
    ("l2", "support_phrases: ", "golden_answer: a\nsupport_phrases: ", 8, "unknown key"),
    ("l2", '- "amó tanto al mundo"', '- Dijo: "amó"', 9, "is not a text"),
    ("l2", '- "amó tanto al mundo"', "- {amó tanto: al mundo}", 9, "is not a text"),
    ("l2", '- "amó tanto al mundo"', "- [amó, tanto", 9, "continues this text"),
    ("l2", '- "amó tanto al mundo"', "- amó: tanto", 9, "is not a text"),
    ("l2", '- "amó tanto al mundo"', "- amó #tanto", 9, "ends at the #"),
    ("l2", 'reference: "Juan 3:16"', "{reference: Juan 3:16, Romanos 6:23}", 4, "no value"),
    ("l2", 'reference: "Juan 3:16"', "reference: &a [*a]", 4, "anchors"),
    ("l3", "golden_answer: |", "golden_answer: |\n    x", 16, "is not YAML"),
    ("l3", "golden_answer: |", "golden_answer: ||", 14, "is not YAML"),
    ("l3", "golden_answer: |", "golden_answer: [a]\nx: |", 14, "is not a text"),
    ("l3", "golden_answer: |", 'golden_answer: ""\nlint: |', 14, "is blank"),
    ("l3", "golden_answer: |", 'golden_answer: " \\n"\nx: |', 14, "is blank"),
    ("l3", "threshold_pass: 0.78", "threshold_pass: 0,78", 21, "'0,78' is not a number"),
    ("l3", "threshold_pass: 0.78", "threshold_pass: 78", 21, "less than or equal to 1"),
    ("l3", "threshold_pass: 0.78", "threshold_pass: nan", 21, "less than or equal to 1"),
    ("l3", "threshold_pass: 0.78", "threshold_pass: .inf", 21, "is not a number"),
    ("l3", "threshold_pass: 0.78", "threshold_pass: high", 21, "'high' is not a number"),
    ("l3", "threshold_pass: 0.78", "threshold_pass: 78%", 21, "is not a number"),
    ("l3", "threshold_pass: 0.78", "threshold_pass: 0.5", 19, "above threshold_pass"),
    ("l3", "primary: embeddings", "primary: embedding", 20, "'embeddings' or 'llm'"),
    ("l3", "primary: embeddings", "strategy: graph", 19, "needs pass_at"),
    ("l3", "primary: embeddings", "strategy: g_eval\n  pass_at: 0.5", 19, "needs criteria"),
    ("l3", "primary: embeddings", "graph: doctrine", 19, "needs graph"),
    ("l3", "primary: embeddings", "pass_at: 1.5", 20, "less than or equal to 1"),
    ("l3", "primary: embeddings", "embedder: ''", 20, "is blank"),
    ("l3", "primary: embeddings", "id: x", 20, "unknown key `judge.id`"),
    ("l3", "judge:\n", "threshold_pass: 0.8\njudge:\n", 19, "unknown key `threshold_pass`"),
    ("l3", "judge:\n", "support_phrases: [a]\njudge:\n", 19, "unknown key"),
    ("l3", "topic: doctrine.trinity", "topic: 1.10", 25, "'1.1' is not a text"),
    ("l3", "topic: doctrine.trinity", "topic: true", 25, "'True' is not a text"),
    ("l3", "topic: doctrine.trinity", "topic: [soul]", 25, "is not a text"),
    ("l3", "topic: doctrine.trinity", "tags: [soul, 1.10]", 25, "'1.1' is not a text"),
    ("l3", "topic: doctrine.trinity", "tags: [true]", 25, "'True' is not a text"),
    ("l3", "topic: doctrine.trinity", "tags: 3", 25, "'3' is not a list"),
    ("l3", "judge:\n", "judge: embeddings\nnot_judge:\n", 19, "holds no keys"),
]

LOADS: list[tuple[str, str, str, str, Any]] = [
    # layer, what is replaced, by what, dotted name, value that the author sees
    ("l1", "min_findings: 3", 'min_findings: "3"', "expected.min_findings", 3),
    ("l1", "min_findings: 3", "min_findings:    3", "expected.min_findings", 3),
    ("l1", "min_findings: 3", "min_findings: 0", "expected.min_findings", 0),
    ("l1", "min_findings: 3", "min_findings: 010", "expected.min_findings", 10),
    ("l1", "citation: true", "citation: yes", "expected.must_have_citation", True),
    ("l1", "citation: true", "citation: False", "expected.must_have_citation", False),
    ("l1", "citation: true", "citation: 'on'", "expected.must_have_citation", True),
    ("l1", "source: topic_index", "source: no", "expected.must_have_source", ("no",)),
    ("l1", "source: topic_index", "source: [no, on, 3:16]", "expected.must_have_source",
     ("no", "on", "3:16")),
    ("l1", "- topic_index", "- 2024-01-01", "expected.sources_in_order.0", "2024-01-01"),
    ("l1", "- topic_index", "- 2024-13-01", "expected.sources_in_order.0", "2024-13-01"),
    ("l1", "- topic_index", "- 1.10", "expected.sources_in_order.0", "1.10"),
    ("l1", "- topic_index", "- 0123", "expected.sources_in_order.0", "0123"),
    ("l1", "- topic_index", "- 1_000", "expected.sources_in_order.0", "1_000"),
    ("l1", "- topic_index", "- NO", "expected.sources_in_order.0", "NO"),
    ("l1", "- topic_index", "- 'null'", "expected.sources_in_order.0", "null"),
    ("l1", "- topic_index", "- topic\n      index", "expected.sources_in_order.0", "topic index"),
    ("l1", "- topic_index", "- topic#index", "expected.sources_in_order.0", "topic#index"),
    ("l1", "- topic_index", "- topic # index", "expected.sources_in_order.0", "topic"),
    ("l1", "- topic_index", "- '#topic'", "expected.sources_in_order.0", "#topic"),
    ("l1", "- topic_index", "- => x", "expected.sources_in_order.0", "=> x"),
    ("l1", "- topic_index", "- <<", "expected.sources_in_order.0", "<<"),
    ("l1", "- topic_index", "- =", "expected.sources_in_order.0", "="),
    ("l1", '"podría ser"', '"podría\\u2028ser"', "expected.forbidden_keywords_in_findings.1",
     "podría\u2028ser"),
    ("l1", '"podría ser"', "'it''s'", "expected.forbidden_keywords_in_findings.1", "it's"),
    ("l1", '"podría ser"', "“podría ser”", "expected.forbidden_keywords_in_findings.1",
     "“podría ser”"),
    ("l1", '"podría ser"', "podr\u00ada", "expected.forbidden_keywords_in_findings.1",
     "podr\u00ada"),
    ("l1", '"podría ser"', "😀 x", "expected.forbidden_keywords_in_findings.1", "😀 x"),
    ("l1", "language: es", "language: no", "input.language", "no"),
    ("l1", "language: es", "language: NO", "input.language", "NO"),
    ("l1", "language: es", "chapter: 3", "input.chapter", 3),
    ("l1", "language: es", "chapter: -3", "input.chapter", -3),
    ("l1", "language: es", "chapter: +3", "input.chapter", "+3"),
    ("l1", "language: es", "chapter: 03", "input.chapter", "03"),
    ("l1", "language: es", "chapter: '3'", "input.chapter", "3"),
    ("l1", "language: es", "chapter: 3:16", "input.chapter", "3:16"),
    ("l1", "language: es", "chapter: [Juan 3:16, 24:14]", "input.chapter", ["Juan 3:16", "24:14"]),
    ("l1", "language: es", "chapter: 0x1F", "input.chapter", "0x1F"),
    ("l1", "language: es", "chapter: 1_000", "input.chapter", "1_000"),
    ("l1", "language: es", "weight: 0.5", "input.weight", 0.5),
    ("l1", "language: es", "weight: 1e3", "input.weight", 1000.0),
    ("l1", "language: es", "weight: .5", "input.weight", ".5"),
    ("l1", "language: es", "weight: .nan", "input.weight", ".nan"),
    ("l1", "language: es", "visual: true", "input.visual", True),
    ("l1", "language: es", "visual: FALSE", "input.visual", False),
    ("l1", "language: es", "visual: yes", "input.visual", "yes"),
    ("l1", "language: es", "visual: null", "input.visual", None),
    ("l1", "language: es", "visual: ~", "input.visual", None),
    ("l1", "language: es", "visual:", "input.visual", None),
    ("l1", "language: es", "visual: ''", "input.visual", ""),
    ("l1", "language: es", "day: 2024-01-01", "input.day", "2024-01-01"),
    ("l1", "language: es", "time: 12:30:45", "input.time", "12:30:45"),
    ("l1", "language: es", "1: one", "input.1", "one"),
    ("l1", "language: es", "true: one", "input.true", "one"),
    ("l1", "language: es", "deep: {a: [1, {b: null}]}", "input.deep", {"a": [1, {"b": None}]}),
    ("l1", "language: es", "'<<': x", "input.<<", "x"),
    ("l1", 'question: "', 'question: "\\\n    ', "input.question", "¿Es la Trinidad bíblica?"),
    ("l1", "id: l1_", "---\nid: l1_", "id", "l1_apologetics_trinity_es"),
    ("l1", "id: l1_", "%YAML 1.1\n---\nid: l1_", "id", "l1_apologetics_trinity_es"),
    ("l1", "id: l1_", "# note\n\nid: l1_", "id", "l1_apologetics_trinity_es"),
    ("l1", "id: l1_", "layer: l1\nid: l1_", "layer", "l1"),
    ("l1", "id: l1_", "\ufeffid: l1_", "id", "l1_apologetics_trinity_es"),
    ("l1", "id: l1_apologetics_trinity_es", "id: no", "id", "no"),
    ("l1", "id: l1_apologetics_trinity_es", "id: 2024-01-01", "id", "2024-01-01"),
    ("l1", "\n", "\r\n", "expected.min_findings", 3),
    ("l2", '"Juan 3:16"', "Juan 3:16", "input.reference", "Juan 3:16"),
    ("l2", '"Juan 3:16"', "3:16", "input.reference", "3:16"),
    ("l2", "- https://wol.jw.org/es", "- url: https://wol.jw.org/es",
     "expected.expected_citations.0.url", "https://wol.jw.org/es/wol/b/r4/lp-s/nwt/E/2024/43/3"),
    ("l2", "2024/43/3", "2024/43/3#study=discover&v=43:3:16",
     "expected.expected_citations.0.url",
     "https://wol.jw.org/es/wol/b/r4/lp-s/nwt/E/2024/43/3#study=discover&v=43:3:16"),
    ("l2", '- "amó tanto al mundo"', "- amó, [tanto", "expected.support_phrases.0", "amó, [tanto"),
    ("l2", '- "amó tanto al mundo"', "- amó,tanto", "expected.support_phrases.0", "amó,tanto"),
    ("l2", '- "amó tanto al mundo"', "- >-\n    amó\n    tanto", "expected.support_phrases.0",
     "amó tanto"),
    ("l2", "support_phrases:", "metadata: {}\nsupport_phrases:", "expected.support_phrases.1",
     "Dios amó tanto"),
    ("l3", "threshold_pass: 0.78", 'threshold_pass: "0.78"', "judge.threshold_pass", 0.78),
    ("l3", "threshold_pass: 0.78", "threshold_pass: 1", "judge.threshold_pass", 1.0),
    ("l3", "added_at: 2026-05-30", "added_at: 2026-05-30T12:00:00Z", "metadata.added_at",
     "2026-05-30T12:00:00Z"),
    ("l3", "golden_answer: |", "golden_answer: |-", "judge.primary", "embeddings"),
    ("l3", "topic: doctrine.trinity", "tags: [a, no, 3]", "metadata.tags", ["a", "no", 3]),
    ("l3", "topic: doctrine.trinity", "tags: [a, no, 3]", "tags", ("a", "no", "3")),
    ("l3", "topic: doctrine.trinity", "tags: soul", "tags", ("soul",)),
    ("l3", "topic: doctrine.trinity", "topic:", "topic", None),
    ("l3", "topic: doctrine.trinity", "topic: 1914", "topic", "1914"),
    ("l3", "topic: doctrine.trinity", "topic: 0123", "topic", "0123"),
    ("l3", "topic: doctrine.trinity", "topic: '1.10'", "topic", "1.10"),
]  # fmt: skip


def _value(read: ReadCase, name: str) -> Any:
    value: Any = read.case
    for part in name.split("."):
        if isinstance(value, tuple | list):
            value = value[int(part)]
        else:
            value = value[part] if isinstance(value, dict) else getattr(value, part)
    return value


@pytest.mark.parametrize(("layer", "old", "new", "line", "words"), REFUSED)
def test_a_mistake_is_refused_at_its_line_with_its_cause(
    layer: Any, old: str, new: str, line: int | None, words: str
) -> None:
    assert old in TEXTS[layer]
    source = TEXTS[layer].replace(old, new, 1).encode()
    read = read_case(f"{layer}/case.yaml", source, layer)
    assert isinstance(read, list)
    found = [(p.path, p.line) for p in read if words in p.message]
    assert (f"{layer}/case.yaml", line) in found, read


@pytest.mark.parametrize(("layer", "old", "new", "name", "value"), LOADS)
def test_what_looks_odd_loads_as_the_author_sees_it(
    layer: Any, old: str, new: str, name: str, value: Any
) -> None:
    assert old in TEXTS[layer]
    source = TEXTS[layer].replace(old, new, -1 if old == "\n" else 1).encode()
    read = read_case(f"{layer}/case.yaml", source, layer)
    assert isinstance(read, ReadCase), read
    got = _value(read, name)
    assert (got, type(got)) == (value, type(value))
    assert read.source == source


@pytest.mark.parametrize("layer", TEXTS)
def test_both_parsers_build_the_same_tree(layer: str) -> None:
    text = decode(TEXTS[layer].encode())
    assert parse(text, PARSERS[0]) == parse(text, PARSERS[1])


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        (b"", None, "is empty"),
        (b"# only a comment\n", None, "is empty"),
        (b"---\n", None, "is empty"),
        (b"\xff\xfei\x00d\x00", 1, "is not UTF-8"),
        (b"id: a\nagent: caf\xe9\n", 2, "is not UTF-8 (byte 0xe9)"),
        (b"- a\n- b\n", 1, "holds no keys"),
        (b"just text", 1, "holds no keys"),
        (b"{}", None, "names no layer"),
        (b"id: a\n", None, "names no layer"),
        (b"\x00", 1, "U+0000"),
        (b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", 1, "anchors"),
    ],
)
def test_what_is_no_case_at_all_is_refused(source: bytes, line: int | None, words: str) -> None:
    read = read_case("case.yaml", source)
    assert isinstance(read, list)
    assert [(p.line, words in p.message) for p in read] == [(line, True)], read
