from __future__ import annotations

import os
from pathlib import Path

import pytest

from jw_eval_store.config import Config, load_config
from jw_eval_store.domain.errors import UsageError


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def load(folder: Path, environ: dict[str, str] | None = None, **flags: object) -> Config:
    return load_config(folder, flags, environ or {})


def write_user_file(project: Path, text: str) -> Path:
    path = project.parent / "xdg" / "jw-eval" / "jw-eval.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_the_database_lies_below_the_current_folder(project: Path) -> None:
    config = load(project)
    assert config.database == project / ".jw-eval" / "results.db"
    assert (config.root, config.file) == (project, None)
    assert config.sources["db"] == "default"


def test_the_nearest_file_upwards_holds_and_its_paths_start_beside_it(project: Path) -> None:
    (project / "jw-eval.toml").write_text('cases = ["golden", "/abs"]\npolicy = "policy.yaml"\n')
    deep = project / "a" / "b"
    deep.mkdir(parents=True)
    config = load(deep)
    assert config.settings.cases == (str(project / "golden"), "/abs")
    assert config.settings.policy == str(project / "policy.yaml")
    assert config.database == project / ".jw-eval" / "results.db"
    assert config.root == project


def test_a_pyproject_without_the_table_is_passed_over(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.jw-eval]\njobs = 3\n")
    package = project / "package"
    package.mkdir()
    (package / "pyproject.toml").write_text('[project]\nname = "x"\n')
    config = load(package)
    assert config.settings.jobs == 3
    assert config.sources["jobs"] == f"{project / 'pyproject.toml'} [tool.jw-eval]"


def test_flag_beats_variable_beats_project_beats_user_beats_default(project: Path) -> None:
    user = write_user_file(
        project, 'jobs = 1\n[judge]\nllm = "claude"\nmodel = "u"\ncalls_per_case = 7\n'
    )
    (project / "jw-eval.toml").write_text('jobs = 2\n[judge]\nllm = "openai"\nmodel = "p"\n')
    config = load(project, {"JW_EVAL_LLM": "none", "JW_EVAL_JOBS": "3"}, jobs=4)
    judge = config.settings.judge
    assert (config.settings.jobs, judge.llm, judge.model) == (4, "none", "p")
    assert (judge.calls_per_case, judge.timeout) == (7, 120.0)
    sources = config.sources
    assert sources["jobs"] == "flag --jobs"
    assert sources["judge.llm"] == "variable JW_EVAL_LLM"
    assert sources["judge.model"] == str(project / "jw-eval.toml")
    assert sources["judge.calls_per_case"] == str(user)
    assert sources["judge.timeout"] == "default"


def test_an_agent_is_taken_whole_from_one_source(project: Path) -> None:
    write_user_file(project, '[agents.a]\ntarget = "ls"\nadapter = "command"\n')
    (project / "jw-eval.toml").write_text('[agents.a]\ntarget = "m:f"\nroots = "src"\n')
    agent = load(project).settings.agents["a"]
    assert (agent.adapter, agent.roots) == ("python", (str(project / "src"),))


@pytest.mark.parametrize(
    ("written", "read"),
    [("../venv/bin/python", "venv/bin/python"), ("python3.12", None), ("~/py", "~")],
)
def test_an_interpreter_is_a_path_only_where_it_names_a_folder(
    project: Path, written: str, read: str | None
) -> None:
    (project / "jw-eval.toml").write_text(f'[agents.a]\ntarget = "m:f"\npython = "{written}"\n')
    expected = {
        None: written,
        "~": str(Path("~/py").expanduser()),
        "venv/bin/python": str(project.parent / "venv" / "bin" / "python"),
    }[read]
    assert load(project).settings.agents["a"].python == expected


def test_variables_and_flags_start_from_the_current_folder(project: Path) -> None:
    (project / "jw-eval.toml").write_text("jobs = 1\n")
    deep = project / "deep"
    deep.mkdir()
    two = os.pathsep.join(["one", "two"])
    config = load(deep, {"JW_EVAL_DB": "v.db", "JW_EVAL_CASES": two})
    assert config.database == deep / "v.db"
    assert config.settings.cases == (str(deep / "one"), str(deep / "two"))
    assert load(deep, {"JW_EVAL_DB": "v.db"}, db="f.db").database == deep / "f.db"


def test_an_empty_variable_counts_as_unset(project: Path) -> None:
    assert load(project, {"JW_EVAL_LLM": " ", "JW_EVAL_DB": ""}).settings.judge.llm == "ollama"
    (project / "jw-eval.toml").write_text('cases = ["golden"]\n')
    config = load(project, {"JW_EVAL_CASES": os.pathsep})
    assert config.settings.cases == (str(project / "golden"),)


def test_a_misspelt_variable_is_said(project: Path) -> None:
    config = load(project, {"JW_EVAL_LMM": "none", "JW_EVAL_SOMETHING_ELSE": "1"})
    assert config.notices == ("variable JW_EVAL_LMM is not known; did you mean JW_EVAL_LLM?",)


REFUSED = [
    ("jobz = 1", "unknown key jobz", "did you mean jobs?"),
    ("jobs = 0", "jobs: Input should be greater than or equal to 1 (got 0)", "mend jobs"),
    ("fetch_pace = inf", "fetch_pace: Input should be a finite number", "mend fetch_pace"),
    ("[judge]\ntimeout = nan", "judge.timeout: Input should be a finite", "mend judge.timeout"),
    ("[judge]\nfirst_token_timeout = inf", "should be a finite number (got inf)", "mend judge."),
    ("[agents.a]\ntarget='m:f'\ntimeout = 'inf'", "(got 'inf')", "mend agents.a.timeout"),
    ("jobs = true", "jobs: Input should be a number (got True)", "mend jobs"),
    ("fetch_pace = false", "fetch_pace: Input should be a number (got False)", "mend fetch_pace"),
    ("[judge]\nsoft_calls = true", "should be a number (got True)", "mend judge.soft_calls"),
    ("[judge]\nsoft = 1", "judge.soft: Input should be true or false (got 1)", "mend judge.soft"),
    ("[agents.a]\ntarget='m:f'\nnetwork = 0.0", "true or false (got 0.0)", "agents.a.network"),
    ('judge = "ollama"', "judge must be a table", "[judge]"),
    ('[judge]\nllm = "olama"', "judge.llm: Input should be 'ollama'", "mend judge.llm"),
    ("[judge]\nmodle = 'x'", "unknown key judge.modle", "did you mean model?"),
    ("[jugde]\nllm = 'none'", "unknown key jugde", "did you mean judge?"),
    ('[agents.a]\nadapter = "http"', "agents.a.target: Field required", "mend agents.a.target"),
    ("[agents.a]\ntarget='m:f'\ntime_out=3", "unknown key agents.a.time_out", "timeout"),
    ("[agents]\na = 'm:f'", "agents.a: Input should be", "mend agents.a"),
    ("db = ''", "db: String should match", "mend db"),
    ("db = {a = 1}", "db: Input should be a valid string", "mend db"),
    ("cases = [3]", "cases.0: Input should be a valid string (got 3)", "mend cases.0"),
    ("jobs = ", "is not TOML", "mend the file"),
    ("zzzzzz = 1", "unknown key zzzzzz", "known keys: agents, cases"),
    ("[tool.jw-eval.judge]\nllm = 'none'", "unknown key tool", "for pyproject.toml only"),
]


@pytest.mark.parametrize(("text", "cause", "hint"), REFUSED)
def test_what_is_wrong_is_said_with_file_key_and_next_step(
    project: Path, text: str, cause: str, hint: str
) -> None:
    (project / "jw-eval.toml").write_text(text)
    with pytest.raises(UsageError) as caught:
        load(project)
    assert str(project / "jw-eval.toml") in caught.value.message
    assert cause in caught.value.message
    assert hint in (caught.value.hint or "")


def test_variables_are_texts_and_read_as_what_they_mean(project: Path) -> None:
    settings = load(project, {"JW_EVAL_JOBS": "2", "JW_EVAL_SAMPLES": "1"}).settings
    assert (settings.jobs, settings.samples) == (2, True)


def test_a_wrong_variable_is_named(project: Path) -> None:
    with pytest.raises(UsageError, match=r"variable JW_EVAL_JOBS: jobs: .*got 'many'"):
        load(project, {"JW_EVAL_JOBS": "many"})


def test_two_files_in_one_folder_are_refused(project: Path) -> None:
    (project / "jw-eval.toml").write_text("jobs = 1\n")
    (project / "pyproject.toml").write_text("[tool.jw-eval]\njobs = 2\n")
    with pytest.raises(UsageError, match=r"both .* configure this project"):
        load(project)


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[tool.jw-eval\n"])
def test_a_pyproject_that_cannot_be_read_is_an_error(project: Path, content: bytes) -> None:
    (project / "pyproject.toml").write_bytes(content)
    with pytest.raises(UsageError, match=r"pyproject\.toml is not"):
        load(project)


def test_a_byte_order_mark_is_no_part_of_the_first_key(project: Path) -> None:
    (project / "jw-eval.toml").write_bytes(b"\xef\xbb\xbfjobs = 5\n")
    assert load(project).settings.jobs == 5


def test_a_tool_table_of_another_kind_is_refused(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool]\njw-eval = 3\n")
    with pytest.raises(UsageError, match=r"tool\.jw-eval must be a table"):
        load(project)


def test_none_switches_the_cross_encoder_off_that_a_file_sets(tmp_path: Path) -> None:
    (tmp_path / "jw-eval.toml").write_text('[judge]\nnli = " embedded "\n')
    assert load_config(tmp_path, environ={}).settings.judge.nli == "embedded"
    off = load_config(tmp_path, environ={"JW_EVAL_NLI": "none"})
    assert off.settings.judge.nli is None


@pytest.mark.parametrize("written", ["true", '"0.9"', "0.5", "1.1", "nan", "inf"])
@pytest.mark.parametrize("key", ["nli_pass_at", "nli_fail_at"])
def test_a_probability_that_is_none_is_refused(tmp_path: Path, key: str, written: str) -> None:
    (tmp_path / "jw-eval.toml").write_text(f"[judge]\n{key} = {written}\n")
    with pytest.raises(UsageError, match=f"judge.{key}"):
        load_config(tmp_path, environ={})


def test_a_policy_that_nothing_names_is_said(project: Path) -> None:
    (project / "jw-eval.toml").write_text("jobs = 1\n")
    assert load_config(project, environ={}).notices == ()
    (project / "policy.yaml").write_text("gate: {l3: {min_pass: 1.0}}\n")
    (said,) = load_config(project, environ={}).notices
    assert "policy.yaml stands beside jw-eval.toml, which does not name it" in said
    (project / "jw-eval.toml").write_text('policy = "policy.yaml"\n')
    assert load_config(project, environ={}).notices == ()
