"""Pairs in another language by Apertium (rule-based translation, offline, a Debian package).

`apt-get install apertium apertium-es-pt apertium-eng-spa`. Without it training goes on with what
is already translated in the cache, or without translations, and says so.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from nli_training.pairs import Pair

MODES = {("es", "pt"): "es-pt_BR", ("pt", "es"): "pt-es", ("es", "en"): "spa-eng"}
MARK = "\n\n"


def translated(pairs: Iterable[Pair], to: str, cache: Path) -> list[Pair]:
    """The pairs of a language that a mode leads from, in the language `to`."""
    from_language = {a for a, b in MODES if b == to}
    chosen = [pair for pair in pairs if pair.lang in from_language]
    memory = _Memory(cache)
    for lang in sorted({pair.lang for pair in chosen}):
        texts = {t for p in chosen if p.lang == lang for t in (p.premise, p.hypothesis)}
        memory.fill(sorted(texts), lang, to)
    found = (
        (p, memory.get(p.premise, p.lang, to), memory.get(p.hypothesis, p.lang, to)) for p in chosen
    )
    return [
        replace(p, premise=a, hypothesis=b, lang=to, source=f"{p.source}>{to}")
        for p, a, b in found
        if a and b
    ]


class _Memory:
    """What was translated before: a JSON file per direction."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.known: dict[tuple[str, str], dict[str, str]] = {}

    def _of(self, source: str, to: str) -> dict[str, str]:
        file = self.folder / f"{source}-{to}.json"
        if (source, to) not in self.known:
            text = file.read_text(encoding="utf-8") if file.exists() else "{}"
            self.known[source, to] = json.loads(text)
        return self.known[source, to]

    def get(self, text: str, source: str, to: str) -> str | None:
        return self._of(source, to).get(text)

    def fill(self, texts: list[str], source: str, to: str) -> None:
        known = self._of(source, to)
        new = [text for text in texts if text not in known]
        if not new:
            return
        if shutil.which("apertium") is None:
            print(f"apertium is not installed: {len(new)} sentences stay without {to}")
            return
        known.update(zip(new, _apertium(new, MODES[source, to]), strict=True))
        text = json.dumps(known, ensure_ascii=False, indent=0)
        (self.folder / f"{source}-{to}.json").write_text(text, encoding="utf-8")


def _apertium(texts: list[str], mode: str) -> list[str]:
    """A paragraph a text; `-u` leaves unknown words unmarked."""
    flat = MARK.join(" ".join(text.split()) for text in texts)
    done = subprocess.run(
        ["apertium", "-u", mode], input=flat, capture_output=True, text=True, check=True
    )
    out = [line.strip() for line in done.stdout.strip().split(MARK)]
    if len(out) != len(texts):
        raise RuntimeError(f"apertium {mode}: {len(out)} texts came back for {len(texts)}")
    return out
