"""Reads a pipeline file: every mistake in it is found at once, without Spark and without a broker."""

import ast
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, cast

from ottla.pipeline.connect import check_connect, is_connect_address
from ottla.pipeline.model import (
    ASAP,
    AVAILABLE_NOW,
    DEAD_LETTER,
    Case,
    Otherwise,
    Pipeline,
    Rule,
    Source,
    Step,
    TopicSource,
)
from ottla.pipeline.problems import PipelineFileInvalid, Problem, Problems, suggestion
from ottla.pipeline.section import Section, duration_ms
from ottla.pipeline.sinks_of_file import read_dead_letter, read_sinks
from ottla.pipeline.sources_of_file import is_view_name, read_sources, resolved
from ottla.pipeline.yaml_tree import read_tree, with_value

_BOOTSTRAP: Final = "localhost:9092"
_TRIGGER: Final[int | str] = ASAP
_LISTS_OF_FILES: Final = frozenset({"spark.jars", "spark.files", "spark.submit.pyFiles"})
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")


def load(path: Path, sets: Sequence[str] = (), environment: Mapping[str, str] = os.environ) -> Pipeline:
    """The pipeline of the file, with `key=value` of `sets` on top. Raises PipelineFileInvalid with all problems."""
    tree = read_tree(path)
    problems = Problems(path)
    for text in sets:
        key, equals, value = text.partition("=")
        try:
            if not key or not equals:
                raise ValueError(f"--set {text}: give KEY=VALUE")
            with_value(tree, key, value)
        except ValueError as error:
            raise PipelineFileInvalid(path, [Problem(0, str(error))]) from error
    root = Section(tree, "", problems, environment)
    pipeline = _read(root, path, problems)
    root.finish()
    problems.raise_if_any()
    return pipeline


def _read(root: Section, path: Path, problems: Problems) -> Pipeline:
    folder = path.absolute().parent
    name = root.required("pipeline", "orders")
    if name and not _NAME.match(name):
        root.problem(f"{name!r} must be letters, digits, '.', '_' and '-'", "pipeline")
    client = {"bootstrap.servers": root.text("bootstrap", _BOOTSTRAP) or _BOOTSTRAP, **root.pairs("kafka")}
    master = root.text("master") or "local[*]"
    pipeline = Pipeline(
        name=name,
        path=path.absolute(),
        group=root.text("group") or f"pipeline-{name}",
        client=client,
        master=master,
        spark=_spark_settings(root, folder, master),
        checkpoint=resolved(root.text("checkpoint") or f"state/{name}", folder),
        trigger=root.parsed("trigger", _trigger, _TRIGGER),
        # Tables that a Connect server reads are files of its machine.
        sources=read_sources(root, folder, client, is_here=not is_connect_address(master)),
        rules=_rules(root),
        dead_letter=read_dead_letter(root, client),
        steps=_steps(root, folder),
        sinks=read_sinks(root, folder, client),
        cases=_cases(root, folder),
    )
    _check_names(pipeline, problems)
    _check_rules(pipeline, problems)
    _check_increments(pipeline, problems)
    check_connect(pipeline, problems)
    return pipeline


def _spark_settings(root: Section, folder: Path, master: str) -> dict[str, str]:
    """Those that name files of this machine start at the pipeline file too."""
    settings = root.pairs("spark")
    if is_connect_address(master):
        for name in settings:
            if not name.startswith("spark.sql."):
                root.problem(f"{name} is a setting of the Connect server: set it where the server is started", "spark")
    for name in _LISTS_OF_FILES & settings.keys():
        settings[name] = ",".join(resolved(file.strip(), folder) for file in settings[name].split(",") if file.strip())
    return settings


def _trigger(text: str) -> int | str:
    if text in (AVAILABLE_NOW, ASAP):
        return text
    try:
        return duration_ms(text)
    except ValueError as error:
        raise ValueError(f"must be a duration such as 1s, {AVAILABLE_NOW} or {ASAP}") from error


def _rules(root: Section) -> tuple[Rule, ...]:
    rules = []
    for section in root.sections("rules", "rule"):
        view = section.required("view", "orders")
        rules.append(
            Rule(
                view=view,
                name=section.text("name") or section.name.replace(" ", "_"),
                expect=section.required("expect", '"amount >= 0"'),
                otherwise=cast(Otherwise, section.one_of("otherwise", (DEAD_LETTER, "drop", "fail"), "fail")),
                line=section.line,
            )
        )
        section.finish()
    return tuple(rules)


def _steps(root: Section, folder: Path) -> tuple[Step, ...]:
    steps = []
    for section in root.sections("steps", "step"):
        name = section.required("name", "enriched")
        if name and not is_view_name(name):
            section.problem(f"{name!r} becomes a view: use letters, digits and _", "name")
        kind = section.exactly_one(("sql", "sql_file", "python"), "what it does")
        sql = section.text("sql")
        file = section.text("sql_file")
        function = section.text("python")
        if kind == "sql_file" and file:
            sql = _sql_of_file(section, Path(resolved(file, folder)))
        place = _function(section, function, folder) if kind == "python" and function else None
        steps.append(Step(name, section.line_of(kind or "name"), sql, place))
        section.finish()
    return tuple(steps)


def _sql_of_file(section: Section, path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        section.problem(f"{path} cannot be read: {error}", "sql_file")
        return None


def _function(section: Section, text: str, folder: Path) -> tuple[Path, str] | None:
    """The file is parsed and not imported: a file with a mistake is reported, not run."""
    file, colon, name = text.rpartition(":")
    if not file or not colon or not name.isidentifier():
        section.problem(f"{text!r} must be a file and a function such as transforms.py:big", "python")
        return None
    path = Path(resolved(file, folder))
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        section.problem(f"{path} cannot be read: {error}", "python")
        return None
    except SyntaxError as error:
        section.problem(f"{path}:{error.lineno}: {error.msg}", "python")
        return None
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    imported = any(isinstance(node, ast.Import | ast.ImportFrom | ast.Assign) for node in tree.body)
    if name not in functions and not imported:
        section.problem(f"{path} has no function {name}{suggestion(name, functions)}", "python")
    return path, name


def _cases(root: Section, folder: Path) -> tuple[Case, ...]:
    cases = []
    for section in root.sections("tests", "test"):
        sides = {}
        for side in ("given", "expect"):
            sides[side] = {name: Path(resolved(file, folder)) for name, file in section.pairs(side).items()}
            for name, file in sides[side].items():
                if not file.is_file():
                    section.problem(f"{name}: {file} does not exist", side)
        if not sides["expect"]:
            section.problem("expect is missing, for example `expect: {enriched: tests/out.jsonl}`")
        cases.append(Case(section.line, sides["given"], sides["expect"]))
        section.finish()
    return tuple(cases)


def _check_names(pipeline: Pipeline, problems: Problems) -> None:
    """Views that sinks, rules and tests name exist; no view has two definitions."""
    views = list(pipeline.sources)
    for step in pipeline.steps:
        if step.name in views:
            problems.add(step.line, f"step {step.name}: there is a source or step of this name already")
        views.append(step.name)
    named = [(sink.line, f"sink {sink.name}: from", sink.view) for sink in pipeline.sinks]
    named += [(rule.line, f"rule {rule.name}: view", rule.view) for rule in pipeline.rules]
    named += [(case.line, "test: expect", name) for case in pipeline.cases for name in case.expect]
    for line, what, view in named:
        if view and view not in views:
            near = suggestion(view, views) or f"; views are {', '.join(views)}"
            problems.add(line, f"{what}: there is no source or step {view!r}{near}")
    for case in pipeline.cases:
        for name in case.given.keys() - pipeline.sources.keys():
            problems.add(case.line, f"test: given: there is no source {name!r}{suggestion(name, pipeline.sources)}")


def _check_rules(pipeline: Pipeline, problems: Problems) -> None:
    names: set[str] = set()
    for rule in pipeline.rules:
        if rule.name in names:
            problems.add(rule.line, f"rule {rule.name}: there is a rule of this name already")
        names.add(rule.name)
        if rule.otherwise != DEAD_LETTER:
            continue
        source = pipeline.sources.get(rule.view)
        if rule.view and not isinstance(source, TopicSource):
            problems.add(rule.line, f"rule {rule.name}: dead_letter is for topic sources only; use drop or fail")
        if pipeline.dead_letter is None:
            problems.add(rule.line, f"rule {rule.name}: needs a topic, for example `dead_letter: {rule.view}.dead`")


def _check_increments(pipeline: Pipeline, problems: Problems) -> None:
    """A continuous import is a loop of batches: it has no streams beside it."""
    if not pipeline.increments:
        return
    first, *more = pipeline.increments
    if "://" in pipeline.checkpoint:
        problems.add(
            first.line, f"source {first.name}: increment needs a checkpoint on this machine, not {pipeline.checkpoint}"
        )
    for source in more:
        problems.add(source.line, f"source {source.name}: one source with increment for each pipeline")
    for other in _streams(pipeline.sources):
        problems.add(
            other.line, f"source {other.name}: a stream cannot be combined with {first.name}, which has increment"
        )
    for sink in pipeline.sinks:
        if sink.mode != "append":
            problem = f"sink {sink.name}: mode: source {first.name} is read in batches; only append is possible"
            problems.add(sink.line, problem)


def _streams(sources: Mapping[str, Source]) -> list[Source]:
    return [source for source in sources.values() if source.is_stream]
