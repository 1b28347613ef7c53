"""Golden cases as pytest sees them: a test a case, and a failing one for each refused file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import pytest

from jw_eval_store.domain.cases import LAYERS
from jw_eval_store.domain.evaluations import LayerResult
from jw_eval_store.domain.reports import InvalidFile
from jw_eval_store.runs.registry.showing import CaseList
from jw_eval_store.runs.stepwise import Steps
from jw_eval_store.store.cases import CaseRow


class NotPassedError(Exception):
    """A verdict other than pass; its text is what the test's failure shows."""

    def __init__(self, result: LayerResult) -> None:
        words = {"fail": "failed", "error": "could not be decided"}
        code = f" ({result.reason_code})" if result.reason_code else ""
        first, *rest = result.reasons or ("no reason was given",)
        head = f"{words.get(result.verdict, result.verdict)}{code}: {first}"
        super().__init__("\n".join([head, *(f"- {reason}" for reason in rest)]))


class GoldenCases(pytest.Collector):
    """The node that all golden cases hang on, `jw-eval::CASE`: they are no files of the tests."""

    found: CaseList

    @classmethod
    def of(cls, session: pytest.Session, found: CaseList) -> Self:
        """The node of what was found in the registry."""
        node: Self = cls.from_parent(session, name="jw-eval", nodeid="jw-eval")
        node.found = found
        return node

    def collect(self) -> list[pytest.Item]:
        """A test a case, and one for each file that was refused."""
        cases: list[pytest.Item] = [CaseItem.of(self, row) for row in self.found.cases]
        return cases + [InvalidFileItem.of(self, file) for file in self.found.invalid]


class CaseItem(pytest.Function):
    """One golden case. A function item, so that fixtures bring agents and judges."""

    case_id: str

    @classmethod
    def of(cls, parent: GoldenCases, row: CaseRow) -> Self:
        """The item of a case, with the marker of its layer."""
        item: Self = cls.from_parent(parent, name=row.case_id, callobj=_judging(row.case_id))
        item.case_id = row.case_id
        item.add_marker(f"eval_{row.layer}")
        item.user_properties += [("agent", row.agent), ("language", row.language)]
        return item

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the item is from, as the terminal and JUnit name it."""
        return self.path, None, f"jw-eval {self.case_id}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The reasons of a verdict; a fault of ours with its traceback."""
        if isinstance(excinfo.value, NotPassedError):
            return str(excinfo.value)
        return super().repr_failure(excinfo)


class InvalidFileItem(pytest.Item):
    """A file that was refused: it fails, lest its cases go missing unseen."""

    file: InvalidFile

    @classmethod
    def of(cls, parent: GoldenCases, file: InvalidFile) -> Self:
        """The item of a file."""
        item: Self = cls.from_parent(parent, name=f"invalid file {Path(file.path).name}")
        item.file = file
        folder = Path(file.path).parent.name
        for layer in [folder] if folder in LAYERS else LAYERS:
            item.add_marker(f"eval_{layer}")
        return item

    def runtest(self) -> None:
        """Fail."""
        where = f"{self.file.path}:{self.file.line}" if self.file.line else self.file.path
        hint = f"\n  next: {self.file.hint}" if self.file.hint else ""
        pytest.fail(f"{where}: {self.file.message}{hint}", pytrace=False)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The refused file and its line."""
        return Path(self.file.path), self.file.line, f"jw-eval {self.name}"


def _judging(case_id: str) -> Callable[[Steps], None]:
    def judge(jw_eval_run: Steps) -> None:
        result = jw_eval_run.judge(case_id)
        if result.verdict == "skip":
            pytest.skip("; ".join(result.reasons))
        if result.verdict != "pass":
            raise NotPassedError(result)

    return judge
