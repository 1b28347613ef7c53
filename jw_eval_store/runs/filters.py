"""Turn what people type (`--layer 1,2`, `--filter agent=apologetics`) into a selection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.languages import bcp47
from jw_eval_store.domain.vocabulary import LAYERS, Layer
from jw_eval_store.text.nearest import did_you_mean

if TYPE_CHECKING:
    from jw_eval_store.domain.selections import Selection

FILTER_KEYS = {
    "agent": "agents",
    "language": "languages",
    "topic": "topics",
    "tag": "tags",
    "id": "case_ids",
    "case": "case_ids",
    "layer": "layers",
}
"""Key of `--filter KEY=VALUE` -> part of the selection. Values of one key are alternatives."""

_EXAMPLES = {
    "--filter": "agent=apologetics",
    "--min-pass": "l2=0.98",
    "--min-decided": "l3=0.9",
    "--param": "topic=doctrine.trinity",
}


def parse_layers(texts: Iterable[str | int]) -> tuple[Layer, ...]:
    """`1,2`, `l1`, `L3` or 2 -> layers, in their order. Raises UsageError for anything else.

    No layer at all is refused, too: an empty list must not mean all of them.
    """
    wanted = [part.strip().lower() for text in texts for part in str(text).split(",")]
    named = {part if part.startswith("l") else f"l{part}" for part in wanted if part}
    if not named:  # an empty list, or an empty variable in a script
        raise UsageError("no layer is named", hint="layers: 1, 2, 3 (or l1, l2, l3)")
    unknown = sorted(named - set(LAYERS))
    if unknown:
        written = unknown[0].removeprefix("l")
        raise UsageError(f"there is no layer {written!r}", hint="layers: 1, 2, 3 (or l1, l2, l3)")
    return tuple(layer for layer in LAYERS if layer in named)


def parse_pairs(
    texts: Iterable[str], option: str = "--filter", *, empty: bool = False
) -> list[tuple[str, str]]:
    """`key=value` -> pairs. Raises UsageError for text without `=`, and without a value unless such
    ones are allowed.
    """
    pairs = []
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not (empty or value.strip()):
            hint = _EXAMPLES.get(option, "NAME=VALUE")
            raise UsageError(f"{option} {text!r} is not KEY=VALUE", hint=f"such as {hint}")
        pairs.append((key.strip(), value.strip()))
    return pairs


def select_by(filters: Iterable[tuple[str, str]], base: Selection | None = None) -> Selection:
    """The selection that filters narrow `base` (default: layers 1 and 2) to.

    Raises UsageError for an unknown key, with the nearest one.
    """
    from jw_eval_store.domain.selections import Selection

    parts: dict[str, list[Any]] = {}
    for written, value in filters:
        key = written.lower()
        if key not in FILTER_KEYS:
            hint = did_you_mean(key, FILTER_KEYS)
            raise UsageError(f"there is no filter {key!r}", hint=hint)
        parts.setdefault(FILTER_KEYS[key], []).append(_parsed(key, value))
    if "layers" in parts:
        parts["layers"] = list(parse_layers(parts["layers"]))
    return Selection.model_validate((base or Selection()).model_dump() | parts)


def _parsed(key: str, value: str) -> str:
    return bcp47(value) if key == "language" else value


def parse_shares(texts: Iterable[str], option: str) -> Mapping[Layer, float]:
    """`l1=0.95` or `1=95%` -> share (0..1) by layer. Raises UsageError."""
    shares: dict[Layer, float] = {}
    for name, value in parse_pairs(texts, option):
        for layer in parse_layers([name]):
            shares[layer] = _share(value)
    return shares


def _share(text: str) -> float:
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise UsageError(f"{text!r} is not a share", hint="such as 0.95 or 95%")
    return share


def one_layer(text: str | None) -> Layer | None:
    """The one layer that was typed, if any. Raises UsageError for several."""
    if text is None:
        return None
    layers = parse_layers([text])
    if len(layers) != 1:
        raise UsageError(f"{text!r} is not one layer", hint="layers: 1, 2, 3 (or l1, l2, l3)")
    return layers[0]


def one_language(text: str | None) -> str | None:
    """The BCP 47 tag of the language that was typed, if any."""
    return None if text is None else bcp47(text)
