"""policy.yaml, read as strictly as cases are."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.policies import Policy
from jw_eval_store.golden.nodes import parse
from jw_eval_store.golden.plain import read_values
from jw_eval_store.golden.problems import Refused
from jw_eval_store.golden.syntax import decode
from jw_eval_store.golden.validation import refusals


def read_policy(path: Path) -> Policy:
    """The policy in the file. Raises UsageError that names file, line, cause and next step."""
    try:
        return parse_policy(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    except Refused as refused:
        place = f"{path}:{refused.line}" if refused.line else str(path)
        raise UsageError(f"{place}: {refused.message}", hint=refused.hint) from None


def parse_policy(source: bytes) -> Policy:
    """The policy in these bytes. Raises Refused for the first thing that is wrong."""
    document = read_values(parse(decode(source)), ())
    try:
        return Policy.model_validate(document.values)
    except ValidationError as error:
        raise refusals(error, Policy, document)[0] from None
