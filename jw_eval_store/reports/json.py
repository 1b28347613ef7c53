"""The run as JSON: the specification's SuiteReport with `schema_version`, for programs."""

from __future__ import annotations

from jw_eval_store.domain.reports import SuiteReport
from jw_eval_store.reports.interface import Reporter


class JsonReporter(Reporter):
    """The SuiteReport itself, indented; `SuiteReport.model_validate_json` reads it back."""

    def report(self, report: SuiteReport) -> str:
        """The report as JSON. Lone surrogates, which UTF-8 cannot hold, become `?`."""
        import json

        text = json.dumps(
            report.model_dump(mode="json"), ensure_ascii=False, indent=2, allow_nan=False
        )
        return text.encode("utf-8", "replace").decode("utf-8") + "\n"
