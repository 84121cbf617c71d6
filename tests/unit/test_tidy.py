"""The repository itself: sizes, names, docstrings, READMEs, links. What the linters do not see."""

import ast
import importlib.util
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "ottla"
GENERATED = SOURCE / "protocol" / "generated"
MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 70
#: Outside of the product, where a single request is the point: docs/adr/0042-requests-by-hand.md.
MAY_ENCODE_REQUESTS = {
    "benchmarks/group_commits.py",
    "benchmarks/raw_client.py",
    "benchmarks/stalls.py",
    "benchmarks/transactional_client.py",
    "tests/process/test_repeated_produce.py",
    "tests/process/test_stop.py",
    "tests/support/wire.py",
}
#: Tests that sleep, and why. All others wait for what should come true, or move a clock of their own.
SLEEPS = {
    "tests/support/waiting.py": "the step between two looks at a condition",
    "tests/support/virtual_time.py": "the clock of a simulated loop",
    "tests/support/tcp_proxy.py": "a slow network",
    "tests/unit/sim/test_loop.py": "the loop whose clock sleeping moves is what is tested",
    "tests/process/test_consumer.py": "a slow caller",
    "tests/process/test_parallel_consumer.py": "handlers that take time",
    "tests/compat/programs/group_member.py": "a program that tries again while its broker is down",
    "tests/spark/held_copy.py": "a program that looks whether it may go on",
}
CLOCKS = {"time.monotonic", "time.perf_counter", "monotonic", "perf_counter"}
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "manager", "misc"}

#: What `pip install .` and `python -m build` leave behind.
BUILT_FOLDERS = {"build", "dist"}
PYTHON_FILES = sorted(
    path
    for folder in ("src", "tests", "benchmarks")
    for path in (ROOT / folder).rglob("*.py")
    if GENERATED not in path.parents
)
TEST_FILES = [path for path in PYTHON_FILES if ROOT / "tests" in path.parents]
PACKAGES = sorted(path.parent for path in SOURCE.glob("*/__init__.py"))
MARKDOWN_FILES = sorted(
    path
    for path in ROOT.rglob("*.md")
    if not any(
        (part.startswith(".") and part != ".ci") or part in BUILT_FOLDERS for part in path.relative_to(ROOT).parts
    )
)
ALL_NAMES = {path.name for folder in ("src", "tests", "benchmarks", "tools") for path in (ROOT / folder).rglob("*")}


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", PYTHON_FILES, ids=relative)
def test_file_is_small_and_its_functions_are_short(path: Path) -> None:
    text = path.read_text()
    too_long = [
        f"{node.name}: {size} lines"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (size := body_lines(node)) > MAX_FUNCTION_LINES
    ]

    assert len(text.splitlines()) <= MAX_FILE_LINES
    assert too_long == []


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


@pytest.mark.parametrize("path", [p for p in PYTHON_FILES if SOURCE in p.parents], ids=relative)
def test_module_has_a_docstring_and_a_name_that_says_something(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text())), "what is this module for?"
    assert path.stem not in EMPTY_NAMES


@pytest.mark.parametrize("package", PACKAGES, ids=relative)
def test_no_module_needs_one_that_needs_it(package: Path) -> None:
    """Also not by an import inside a function or under TYPE_CHECKING."""
    files = {module_name(path): path for path in package.rglob("*.py") if GENERATED not in path.parents}
    imported = {name: imported_modules(path, files) for name, path in files.items()}
    while leaves := [name for name, others in imported.items() if not others]:
        imported = {name: others.difference(leaves) for name, others in imported.items() if others}

    assert list(imported) == []


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_modules(path: Path, known: dict[str, Path]) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update(
                whole if (whole := f"{node.module}.{name.name}") in known else node.module for name in node.names
            )
    return (found & known.keys()) - {module_name(path)}


def test_requests_are_written_by_the_client_but_for_a_few_places() -> None:
    found = {
        relative(path)
        for path in PYTHON_FILES
        if SOURCE not in path.parents and ROOT / "tests" / "unit" not in path.parents
        if "import encode_request" in (text := path.read_text()) or ", encode_request" in text
    }

    assert found == MAY_ENCODE_REQUESTS


@pytest.mark.parametrize("package", PACKAGES, ids=relative)
def test_package_has_a_short_readme(package: Path) -> None:
    readme = package / "README.md"

    assert readme.exists()
    assert len(readme.read_text().splitlines()) <= 40


@pytest.mark.parametrize("path", PYTHON_FILES, ids=relative)
def test_todo_names_an_issue(path: Path) -> None:
    if path == Path(__file__):
        return
    loose = [line for line in path.read_text().splitlines() if re.search(r"\b(TODO|FIXME|XXX)\b(?! #\d+)", line)]

    assert loose == []


def test_only_tests_whose_point_it_is_sleep() -> None:
    """A pause of 0 lets others have their turn and takes no time."""
    found = {
        relative(path)
        for path in TEST_FILES
        for call in calls(ast.parse(path.read_text()))
        if ast.unparse(call.func).rpartition(".")[2] == "sleep" and [ast.unparse(each) for each in call.args] != ["0"]
    }

    assert found == SLEEPS.keys()


def test_no_test_is_about_how_long_this_machine_takes() -> None:
    found = {
        f"{relative(path)}:{node.lineno}"
        for path in TEST_FILES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Assert) and any(ast.unparse(call.func) in CLOCKS for call in calls(node))
    }

    assert found == set()


@pytest.mark.parametrize("path", TEST_FILES, ids=relative)
def test_no_test_needs_another_test_file(path: Path) -> None:
    """What two of them need has a name, and a place in tests/support."""
    imported = [node.module or "" for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)]

    assert [name for name in imported if name.startswith("tests.") and ".test_" in name] == []


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


@pytest.mark.parametrize("path", MARKDOWN_FILES, ids=relative)
def test_links_lead_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|mailto:|#)([^)#\s]+)", path.read_text())
    broken = [target for target in targets if not (path.parent / target).exists()]

    assert broken == []


@pytest.mark.parametrize("path", MARKDOWN_FILES, ids=relative)
def test_files_that_a_page_names_are_there(path: Path) -> None:
    if path.parent == ROOT / "docs" / "adr" or path.parent == ROOT / "docs" / "results":
        return  # they tell of their day
    text = path.read_text()
    named = re.findall(r"`((?:[\w-]+/)*[\w-]+\.(?:py|pyx|txt|toml|xz))(?:::\w+)?`", text)

    assert [name for name in named if not is_there(path.parent, name)] == []


def is_there(folder: Path, name: str) -> bool:
    """Beside the page or below it, from the root, from the source, or anywhere if only the file is named."""
    if any((start / name).exists() for start in (folder, ROOT, SOURCE.parent, SOURCE)):
        return True
    return "/" not in name and name in ALL_NAMES


def test_regressions_name_tests_that_exist() -> None:
    entries = tomllib.loads((ROOT / "tests" / "sim" / "regressions.toml").read_text())["regression"]
    named = [entry["test"].split("::") for entry in entries if "test" in entry]

    assert named
    assert [name for file, name in named if f"def {name}(" not in (ROOT / file).read_text()] == []


def test_planted_bugs_are_described() -> None:
    page = (ROOT / "docs" / "simulation.md").read_text()
    planted = [path.stem for path in (ROOT / "tests" / "mutations").glob("R*.py")]

    assert planted
    assert [name for name in planted if f"| {name} |" not in page] == []


def test_the_makefile_runs_modules_that_are_there() -> None:
    """A script that is run by its path does not find its neighbours, and only who makes that target notices."""
    makefile = (ROOT / "Makefile").read_text()
    modules = set(re.findall(r"python -m ((?:ottla|tests|benchmarks|tools)[\w.]*)", makefile))

    assert re.findall(r"python (?:src|tests|benchmarks|tools)/\S+\.py", makefile) == []
    assert "tests.fuzz.fuzz_protocol" in modules
    assert [name for name in modules if importlib.util.find_spec(name) is None] == []
