"""docs/pipelines.md: the commands of "Five minutes" run as they are written, in an empty folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.ports import free_port

PAGE = Path(__file__).parents[2] / "docs" / "pipelines.md"
#: Of the newcomer's own environment: here the one of the tests.
INSTALLATION = ("python3 -m venv", "pip install")


def commands() -> list[str]:
    section = PAGE.read_text().partition("## Five minutes")[2].partition("\n## ")[0]
    blocks = re.findall(r"```console\n(.*?)```", section, re.DOTALL)
    lines = [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]
    return [line for line in lines if not line.startswith(INSTALLATION)]


@pytest.mark.timeout(300)
def test_the_commands_of_the_page_lead_to_totals_of_each_minute(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    # `ottla` and `python` of this environment, whether it is activated or not.
    for name, command in (("ottla", f'"{sys.executable}" -m ottla'), ("python", f'"{sys.executable}"')):
        (programs / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        (programs / name).chmod(0o755)
    port = free_port()
    script = "\n".join(commands()).replace("ottla dev", f"ottla dev --exit-with-parent --port {port}")
    environment = {
        **os.environ,
        "PATH": f"{programs}:{os.environ['PATH']}",
        "KAFKA": f"127.0.0.1:{port}",
        "OTTLA_BOOTSTRAP": f"127.0.0.1:{port}",
        "OTTLA_STATE_DIR": str(tmp_path / "state"),
    }
    (tmp_path / "empty").mkdir()

    # A file takes the output: the broker in the background would keep a pipe open.
    with open(tmp_path / "output", "w+") as output:
        done = subprocess.run(
            ["bash", "-exc", script], cwd=tmp_path / "empty", env=environment, stdout=output, stderr=output, check=False
        )
        output.seek(0)
        text = output.read()

    assert done.returncode == 0, text
    assert "orders.yaml:27: passed" in text
    assert re.search(r'\{"minute":"[^"]+","region":"\w+","orders":\d+,"total":[\d.]+\}', text), text
    assert re.search(r"shop\s+stopped", text), text
