"""The project of the tests of runs, in which other programs meet jw-eval."""

from tests.runs.conftest import Project, project

__all__ = ["Project", "project"]
