"""An edit makes stale what used the file, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jw_eval_store.agents.host.files import hashes_below
from jw_eval_store.agents.host_agent import HostAgent
from jw_eval_store.agents.interface import AgentCall, AgentFingerprint
from jw_eval_store.agents.staleness import changes
from jw_eval_store.domain.settings import AgentSettings

FILES = {
    "kit/__init__.py": "",
    "kit/shared.py": "NAME = 'shared'\n",
    "kit/alpha.py": (
        "from pathlib import Path\nfrom kit import shared\nHERE = Path(__file__).parent\n"
        "def ask(question):\n"
        "    if question == 'lazy':\n        from kit import lazy\n"
        "    return [{'text': (HERE / 'prompts/alpha/a.j2').read_text()}]\n"
    ),
    "kit/beta.py": (
        "import os\nfrom pathlib import Path\nHERE = Path(__file__).parent\n"
        "async def ask(question):\n"
        "    return [{'text': ' '.join(sorted(os.listdir(HERE / 'tables')))}]\n"
    ),
    "kit/lazy.py": "",
    "kit/prompts/alpha/a.j2": "prompt",
    "kit/prompts/unused/u.j2": "prompt",
    "kit/tables/t.json": "{}",
    "kit/data/verses.db": "compiled readers open this",
}

Known = tuple[AgentFingerprint, frozenset[str]]


def write_kit(folder: Path) -> Path:
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    return write_kit(tmp_path)


def ask(kit: Path, name: str, question: str = "q") -> Known:
    """Ask an agent in a new host; what it depended on, and what it used."""
    agent = HostAgent(name, "t", AgentSettings(target=f"kit.{name}:ask"), kit)
    fingerprint = agent.fingerprint()
    assert agent.call(AgentCall("c", {"question": question})).error is None
    used = agent.used()
    agent.close()
    assert fingerprint is not None
    assert used is not None
    return fingerprint, used


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Known]:
    """What both agents depended on, before anything is edited."""
    folder = write_kit(tmp_path_factory.mktemp("kit"))
    return {name: ask(folder, name) for name in ("alpha", "beta")}


def now(kit: Path, fingerprint: AgentFingerprint) -> AgentFingerprint:
    """The same agent with the files of a folder."""
    return replace(fingerprint, files=hashes_below(str(kit / "kit"), "kit"))


def test_what_is_imported_opened_or_listed_is_used(before: dict[str, Known]) -> None:
    fingerprint, used = before["alpha"]
    assert {"kit/alpha.py", "kit/shared.py", "kit/prompts/alpha/a.j2"} <= used
    assert not {"kit/beta.py", "kit/lazy.py", "kit/prompts/unused/u.j2"} & used
    assert set(FILES) == set(fingerprint.files)
    assert "kit/tables/" in before["beta"][1]


def test_what_is_imported_lazily_is_used_once_it_is(kit: Path, before: dict[str, Known]) -> None:
    assert "kit/lazy.py" not in before["alpha"][1]
    assert "kit/lazy.py" in ask(kit, "alpha", "lazy")[1]


@pytest.mark.parametrize(
    ("edited", "alpha", "beta"),
    [
        ("kit/alpha.py", True, False),
        ("kit/beta.py", False, True),
        ("kit/shared.py", True, False),
        ("kit/__init__.py", True, True),
        ("kit/prompts/alpha/a.j2", True, False),
        ("kit/prompts/alpha/new.j2", True, False),
        ("kit/prompts/unused/u.j2", False, False),
        ("kit/prompts/unused/new.j2", False, False),
        ("kit/tables/new.json", False, True),
        ("kit/new_module.py", True, True),
        ("kit/data/verses.db", True, True),
        ("kit/new_package/deep/__init__.py", True, True),
        ("kit/tables/more/t.json", False, True),
        ("kit/prompts/unused/more/new.j2", False, False),
        ("elsewhere/other.py", False, False),
    ],
)
def test_an_edit_makes_stale_what_used_the_file(
    kit: Path, before: dict[str, Known], edited: str, alpha: bool, beta: bool
) -> None:
    path = kit / edited
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(FILES.get(edited, "") + "\n# edited\n")
    for name, stale in (("alpha", alpha), ("beta", beta)):
        fingerprint, used = before[name]
        found = changes(fingerprint, now(kit, fingerprint), used)
        assert [edited in part for part in found] == ([True] if stale else [])


def test_a_module_that_is_gone_makes_stale_what_used_it(
    kit: Path, before: dict[str, Known]
) -> None:
    fingerprint, used = before["alpha"]
    (kit / "kit/lazy.py").unlink()
    after = now(kit, fingerprint)
    assert changes(fingerprint, after, used) == ["agent file kit/lazy.py (gone)"]


def test_nothing_changed_is_nothing_stale(kit: Path, before: dict[str, Known]) -> None:
    fingerprint, used = ask(kit, "alpha")
    assert fingerprint == before["alpha"][0] == now(kit, fingerprint)
    assert changes(fingerprint, before["alpha"][0], used) == []


def test_versions_settings_and_origin_always_count() -> None:
    before = AgentFingerprint("a", "o", {}, {"python": "3.11", "httpx": "1"}, {"env KEY": "x"})
    after = AgentFingerprint("a", "p", {}, {"python": "3.12", "anyio": "4"}, {})
    assert changes(before, after, frozenset()) == [
        "agent's origin: now p",
        "distribution anyio",
        "distribution httpx",
        "distribution python",
        "agent's setting env KEY",
    ]


def test_without_knowledge_of_use_every_file_counts() -> None:
    before = AgentFingerprint("a", "o", {"x.py": "1", "y.py": "1"})
    after = AgentFingerprint("a", "o", {"x.py": "1", "y.py": "2"})
    assert changes(before, after, None) == ["agent file y.py"]
    assert changes(before, after, {"x.py"}) == []


def used_by(folder: Path, body: str) -> tuple[frozenset[str], AgentFingerprint]:
    """What an agent with this body uses in one call, and its fingerprint."""
    head = "import os, sys\nfrom pathlib import Path\nHERE = Path(__file__).parent\n"
    asked = f"{head}def ask(question):\n{body}\n    return [{{'text': 'x'}}]\n"
    (folder / "kit/odd.py").write_text(asked)
    fingerprint, used = ask(folder, "odd")
    return used, fingerprint


def test_a_file_behind_a_link_is_the_agents_file(kit: Path) -> None:
    (kit / "shared").mkdir()
    (kit / "shared/s.txt").write_text("said")
    (kit / "kit/s.txt").symlink_to("../shared/s.txt")
    (kit / "kit/linked").symlink_to("../shared")
    (kit / "shared/round").symlink_to("..")
    body = "    (HERE / 's.txt').read_text(), (HERE / 'linked/s.txt').read_text()"
    used, fingerprint = used_by(kit, body)
    assert {"kit/s.txt", "kit/linked/s.txt"} <= used
    assert {"kit/s.txt", "kit/linked/s.txt"} <= fingerprint.files.keys()


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "body",
    [
        "    import subprocess; subprocess.run([sys.executable, '-c', ''])",
        "    os.waitpid(os.fork() or os._exit(0), 0)",
        "    import multiprocessing\n    with multiprocessing.get_context('spawn').Pool(1): pass",
    ],
)
def test_what_starts_a_process_may_have_used_every_file(kit: Path, body: str) -> None:
    used, _ = used_by(kit, body)
    assert set(FILES) | {"kit/prompts/unused/", "kit/"} <= used


def test_files_beside_the_package_and_in_hidden_folders_are_used_by_their_paths(
    kit: Path,
) -> None:
    for name in ("helper.py", "tables.json", "kit/.hidden/h.txt"):
        (kit / name).parent.mkdir(exist_ok=True)
        (kit / name).write_text("")
    body = (
        "    import helper, json\n    (HERE.parent / 'tables.json').read_text()\n"
        "    (HERE / '.hidden/h.txt').read_text()\n    open(HERE.parent / 'log', 'w').close()\n"
        "    open(os.path.expanduser('~/cache'), 'w+').close(); open('/proc/self/stat').close()"
    )
    used, _ = used_by(kit, body)
    outside = {path for path in used if path.startswith("/")}
    expected = {"helper.py", "tables.json", "kit/.hidden/h.txt"}
    assert outside == {(kit.resolve() / name).as_posix() for name in expected}


def test_a_folder_that_is_listed_by_its_place_is_used(kit: Path) -> None:
    used, _ = used_by(kit, "    os.chdir(HERE / 'tables'); os.listdir()")
    assert "kit/tables/" in used
