from __future__ import annotations

import sys

from tests.runs.conftest import Project

COMMAND = """
[agents.{name}]
adapter = "command"
target = "{python} -c \\"print('[]')\\""
{fingerprint}
"""


def test_a_fingerprint_that_could_not_be_asked_is_told_from_one_that_is_not_declared(
    project: Project,
) -> None:
    configuration = project.root / "jw-eval.toml"
    for name, declared in (("silent", 'fingerprint = ["command: false"]'), ("unknown", "")):
        project.case(name, agent=name, expected="max_findings: 3")
        text = COMMAND.format(name=name, python=sys.executable, fingerprint=declared)
        configuration.write_text(configuration.read_text() + text)
    notices = "\n".join(project.run().notices)
    failed = "fingerprint 'command: false' failed: exited with status 1"
    assert f"silent: {failed}, so its cases are run again" in notices
    assert "unknown: its files are not known, so its cases are always run again" in notices
