"""The library's face: what `from jw_eval_store import ...` gives."""
