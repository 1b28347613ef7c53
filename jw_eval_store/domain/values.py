"""The base of all values read from outside: frozen, and unknown keys are errors."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """An immutable value. Unknown keys are refused, since a dropped key is an unmeasured one."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=False)
