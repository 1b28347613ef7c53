"""The prompts: files in English and Spanish, filled with framed texts, versioned by content."""

from jw_eval_store.judges.prompts.framing import framed
from jw_eval_store.judges.prompts.library import Prompt, load_prompt, prompts_hash

__all__ = ["Prompt", "framed", "load_prompt", "prompts_hash"]
