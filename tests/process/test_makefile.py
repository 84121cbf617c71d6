"""`make` sets up its virtual environment, or says why it cannot."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: What `python3 -m venv` does on Debian without the package python3-venv: an interpreter without pip, and exit code 1.
WITHOUT_ENSUREPIP = """#!/bin/sh
mkdir -p .venv/bin && printf '#!/bin/sh\\nexit 1\\n' >.venv/bin/python && chmod +x .venv/bin/python
exit 1
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("pyproject.toml", "setup.py", "src/ottla/compiled.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


def test_a_broken_virtual_environment_is_not_left_behind(checkout: Path) -> None:
    python = checkout / "python"
    python.write_text(WITHOUT_ENSUREPIP)
    python.chmod(0o755)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}

    for _ in range(2):
        command = ["make", ".venv/.base", "PYTHON=./python"]
        done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)

        assert done.returncode != 0
        assert "apt install python3-venv" in done.stdout
        assert not (checkout / ".venv").exists()
