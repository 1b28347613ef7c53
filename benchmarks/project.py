"""Generate a project of any size: cases, evidence and a trivial agent."""

from __future__ import annotations

from pathlib import Path

from jw_eval_store.pages.manifest import new_entry
from jw_eval_store.pages.writing import save_snapshot

PAGES = 50

AGENT = '''"""An agent that costs next to nothing: the tool's own time is what is measured."""

URL = "https://wol.jw.org/en/wol/b/r1/lp-e/bi22/43/{}"


def answer(question, number, **others):
    url = URL.format(number % 50 + 1)
    citation = {"url": url}
    finding = {"summary": f"About {question}", "excerpt": "loved it", "citation": citation}
    return {"query": question, "agent_name": "trivial", "findings": [finding, finding]}
'''

CONFIGURATION = """cases = ["cases"]
snapshots = "snapshots"
policy = "policy.yaml"

[agents.trivial]
target = "agents.trivial:answer"
isolation = "in_process"
roots = ["agents"]
"""

L1 = """id: {id}
agent: trivial
input:
  question: "question {number}"
  number: {number}
  language: en
expected:
  min_findings: 2
  must_have_citation: true
  required_keywords_any: ["question {number}"]
  forbidden_keywords_in_findings: ["supposedly"]
"""

L2 = """id: {id}
agent: trivial
input:
  question: "question {number}"
  number: {number}
  language: en
expected_citations:
  - https://wol.jw.org/en/wol/b/r1/lp-e/bi22/43/{page}
support_phrases:
  - "loved the world"
"""


def make_project(root: Path, cases: int) -> Path:
    """Write a project with so many cases, half of them L1 and half L2, in folders of 1,000."""
    for name in ("agents", "snapshots", "cases"):
        (root / name).mkdir(parents=True)
    (root / "jw-eval.toml").write_text(CONFIGURATION)
    (root / "policy.yaml").write_text("origins: [authored]\n")
    (root / "agents" / "trivial.py").write_text(AGENT)
    for page in range(1, PAGES + 1):
        _write_page(root / "snapshots", page)
    for number in range(cases):
        write_case(root, number)
    return root


def write_case(root: Path, number: int, more: str = "") -> None:
    """Write one case; `more` is added at its end."""
    layer, form = ("l1", L1) if number % 2 else ("l2", L2)
    folder = root / "cases" / f"{number // 1000:03}" / layer
    folder.mkdir(parents=True, exist_ok=True)
    text = form.format(id=f"case_{number:06}", number=number, page=number % PAGES + 1)
    (folder / f"case_{number:06}.yaml").write_text(text + more)


def _write_page(folder: Path, page: int) -> None:
    url = f"https://wol.jw.org/en/wol/b/r1/lp-e/bi22/43/{page}"
    verses = "".join(
        f'<span class="v" id="v43-{page}-{verse}-1">{verse} God so loved the world. </span>'
        for verse in range(1, 31)
    )
    html = f'<article id="article" class="pub-bi22"><p>{verses}</p></article>'
    save_snapshot(folder, new_entry(url, "authored", "page", "2026-03-01T12:00:00Z"), html)
