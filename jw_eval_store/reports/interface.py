"""What every report format is: a pure function from a finished run to text. Reports never judge."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jw_eval_store.domain.reports import SuiteReport

PLAIN_WIDTH = 100
"""Columns of text that goes to no terminal."""


@dataclass(frozen=True)
class Page:
    """Where text will stand: its width in columns, and whether colours are welcome there."""

    width: int = PLAIN_WIDTH
    color: bool = False


class Reporter(ABC):
    """One report format."""

    @abstractmethod
    def report(self, report: SuiteReport) -> str:
        """The whole report as text that ends with a line end."""
