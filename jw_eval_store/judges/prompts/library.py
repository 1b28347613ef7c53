"""Finding prompts: `<language>/<name>.txt`, the system's part and the user's, a line `---` between.

Placeholders are `$name`; what is filled in is never searched for placeholders again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template
from typing import Literal

from jw_eval_store.domain.hashing import json_hash
from jw_eval_store.judges.interface import Message
from jw_eval_store.judges.prompts.framing import FRAMING_VERSION

PromptLanguage = Literal["en", "es"]
_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Prompt:
    """A prompt in one language, still with its placeholders."""

    name: str
    language: str
    system: str
    user: str

    def filled(self, parts: Mapping[str, str]) -> tuple[Message, ...]:
        """The two messages to send. Raises KeyError for a placeholder without a part."""
        system, user = (Template(text).substitute(parts) for text in (self.system, self.user))
        return Message("system", system), Message("user", user)


def prompt_language(case_language: str, setting: PromptLanguage | None = None) -> PromptLanguage:
    """The language a judge is asked in: the setting's, else Spanish for Spanish, else English."""
    return setting or ("es" if case_language.partition("-")[0] == "es" else "en")


@cache
def load_prompt(name: str, language: str) -> Prompt:
    """A prompt by name. Raises FileNotFoundError, which only a broken installation does."""
    text = (_FOLDER / language / f"{name}.txt").read_text(encoding="utf-8")
    system, user = text.split("\n---\n")
    return Prompt(name, language, system.strip(), user.strip())


@cache
def prompts_hash() -> str:
    """Content address of all prompts and of the framing: part of every judge's identity."""
    files = sorted(_FOLDER.glob("*/*.txt"))
    texts = {f"{path.parent.name}/{path.name}": path.read_text(encoding="utf-8") for path in files}
    return json_hash({"framing": FRAMING_VERSION, "files": texts})
