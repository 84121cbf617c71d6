"""Translates the compiled twins (`src/ottla/*/_*.pyx`, ADR 0022 and 0024) to C, which is kept beside them.

usage: python -m tools.translate_twins [--check]

With the C at hand an install needs a compiler and no Cython. `--check` changes nothing and fails when a file is not
what its source, and this release of Cython, gives.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

SOURCES = sorted(Path("src").rglob("_*.pyx"))

#: What Cython adds to functions and classes so that they can be inspected and pickled takes a third of the C, the lines
#: of the source that it repeats in comments a tenth.
DIRECTIVES = ("binding=False", "auto_pickle=False", "emit_code_comments=False")


def translated(source: Path) -> str:
    with tempfile.TemporaryDirectory() as place:
        result = Path(place, "twin.c")
        directives = [argument for directive in DIRECTIVES for argument in ("-X", directive)]
        command = [sys.executable, "-m", "cython", "-3", *directives, "-I", "src", str(source), "-o", str(result)]
        subprocess.run(command, check=True)
        return result.read_text()


def main() -> int:
    stale = []
    for source in SOURCES:
        target = source.with_suffix(".c")
        text = translated(source)
        if not target.exists() or target.read_text() != text:
            stale.append(str(target))
            if "--check" not in sys.argv:
                target.write_text(text)
    if stale and "--check" in sys.argv:
        print(f"not what their sources give: {', '.join(stale)}; run `make generate`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
