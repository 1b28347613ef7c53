"""What layer 3 needs: an embedder and a judge, and a cross-encoder where one is set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jw_eval_store.config import Config
from jw_eval_store.domain.errors import JwEvalError
from jw_eval_store.integrations.doctor.finding import Finding, broken, fine, note

_ONLY_LAYER_3 = "layer 3 is undecided without it; layers 1 and 2 need none"


def embedder(config: Config) -> Iterator[Finding]:
    """The embedder gives vectors."""
    from jw_eval_store.judges.embedders.choose import choose_embedder

    settings = config.settings.embedder
    if settings.backend == "none":
        yield note("embedder", "switched off", "jw-eval config show")
        return
    try:
        chosen = choose_embedder(settings)
        if chosen is None:
            yield note("embedder", "none", "pip install 'jw-eval-store[embedded]'")
            return
        try:
            chosen.embed(["water"])
            yield fine("embedder", chosen.identity.label)
        finally:
            chosen.close()
    except JwEvalError as error:
        word = note if settings.backend is None else broken
        yield word("embedder", error.message, error.hint or _ONLY_LAYER_3)


def judge(config: Config) -> Iterator[Finding]:
    """The judge answers."""
    from jw_eval_store.runs.judge_tools import check_judge

    found = check_judge(config)
    text, hint = _parted(found.lines)
    if found.ok:
        yield fine("judge", text)
    else:
        yield note("judge", f"{text} ({_ONLY_LAYER_3})", hint or "jw-eval judge check")


def cross_encoder(config: Config) -> Iterator[Finding]:
    """The cross-encoder reads a pair, and is calibrated for the cases."""
    from jw_eval_store.runs.inference_check import check_inference

    found = check_inference(config)
    text, hint = _parted(found.lines)
    if found.state == "broken":
        yield broken("cross-encoder", text, hint)
    else:
        yield note("cross-encoder", text, hint) if hint else fine("cross-encoder", text)


def _parted(lines: Sequence[str]) -> tuple[str, str]:
    """What was found, and the next step."""
    plain = [line.strip() for line in lines]
    hints = [line.removeprefix("next: ") for line in plain if line.startswith("next: ")]
    return "; ".join(line for line in plain if not line.startswith("next:")), "; ".join(hints)
