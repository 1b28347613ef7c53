"""The base of all values read from outside: frozen, and unknown keys are errors."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints
from pydantic_core import PydanticCustomError

_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")


class Value(BaseModel):
    """An immutable value. Unknown keys are refused, since a dropped key is an unmeasured one."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=False)


def as_list(value: object) -> object:
    """A single text stands for a list of one, as in `must_have_source: topic_index`."""
    return [value] if isinstance(value, str) else value


def no_switch(value: object) -> object:
    """For numbers: of `true` pydantic makes 1, which nobody wrote."""
    if isinstance(value, bool):
        raise PydanticCustomError("no_number", "Input should be a number")
    return value


NonBlank = Annotated[str, StringConstraints(pattern=r"\S")]
TextList = Annotated[tuple[NonBlank, ...], BeforeValidator(as_list)]


def _iso(value: object) -> object:
    """Only ISO 8601 passes: `2024` alone would be taken for seconds since 1970."""
    if isinstance(value, date) or (isinstance(value, str) and _ISO.match(value)):
        return value
    raise ValueError(f"{value!r} is not a date such as 2026-05-30 or 2026-05-30T12:00:00Z")


IsoDate = Annotated[date, BeforeValidator(_iso)]
IsoMoment = Annotated[datetime, BeforeValidator(_iso)]
