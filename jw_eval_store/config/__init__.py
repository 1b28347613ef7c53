"""The configuration: what it is, and where each of its values comes from."""

from jw_eval_store.config.load import Config, load_config

__all__ = ["Config", "load_config"]
