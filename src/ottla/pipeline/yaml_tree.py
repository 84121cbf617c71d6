"""A YAML document as a tree whose nodes know their lines. Scalars stay text: what they mean is decided by their key.

So `password: 0123` and `start: 2026-01-01` reach their key as written, and YAML 1.1's `on` and `yes` are words.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from ottla.pipeline.problems import PipelineFileInvalid, Problem

Mapping: TypeAlias = yaml.MappingNode
Sequence_: TypeAlias = yaml.SequenceNode
Scalar: TypeAlias = yaml.ScalarNode
Node: TypeAlias = yaml.Node

_TEXT = "tag:yaml.org,2002:str"
_NULL = "tag:yaml.org,2002:null"
_SET_LINE = -1


def read_tree(path: Path) -> Mapping:
    """Raises PipelineFileInvalid where the file is unreadable, is not YAML or is not a mapping."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise PipelineFileInvalid(path, [Problem(0, "there is no such file")]) from error
    except (OSError, UnicodeDecodeError) as error:
        raise PipelineFileInvalid(path, [Problem(0, f"cannot be read: {error}")]) from error
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        raise PipelineFileInvalid(path, [_syntax_problem(error)]) from error
    except yaml.YAMLError as error:
        raise PipelineFileInvalid(path, [Problem(1, f"is not YAML: {error}")]) from error
    if not isinstance(root, yaml.MappingNode):
        raise PipelineFileInvalid(path, [Problem(1, "must be a mapping that starts with `pipeline: NAME`")])
    return root


def _syntax_problem(error: yaml.MarkedYAMLError) -> Problem:
    mark = error.problem_mark or error.context_mark
    begun = ""
    if error.context_mark is not None and error.context is not None:
        begun = f" ({error.context}, which starts in line {error.context_mark.line + 1})"
    return Problem(0 if mark is None else mark.line + 1, f"is not YAML: {error.problem or error}{begun}")


def line_of(node: Node) -> int:
    return int(node.start_mark.line) + 1


def is_null(node: Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == _NULL


def kind_of(node: Node) -> str:
    if isinstance(node, yaml.MappingNode):
        return "a mapping"
    return "a list" if isinstance(node, yaml.SequenceNode) else "a single value"


def with_value(root: Mapping, path: str, text: str) -> None:
    """Puts `--set path=text` into the tree; a step of the path is a key, or the number of an element (from 0).

    Settings of `spark` and `kafka` have dots in their names: the rest of the path is the name. Raises ValueError.
    """
    steps = path.split(".")
    node: Any = root
    while len(steps) > 1:
        node = _step_into(node, steps.pop(0), path)
        if path.split(".")[-len(steps) - 1] in ("spark", "kafka", "options"):
            steps = [".".join(steps)]
    new = yaml.compose(text, Loader=yaml.SafeLoader) or yaml.ScalarNode(_TEXT, text)
    _mark_as_set(new)
    _put(node, steps[0], new, path)


def _step_into(node: Node, step: str, path: str) -> Node:
    if isinstance(node, yaml.SequenceNode):
        return _element(node, step, path)
    if not isinstance(node, yaml.MappingNode):
        raise ValueError(f"--set {path}: {step} is below a single value")
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode) and key.value == step:
            found: Node = value
            return found
    child = yaml.MappingNode("tag:yaml.org,2002:map", [])
    _mark_as_set(child)
    _put(node, step, child, path)
    return child


def _element(node: Sequence_, step: str, path: str) -> Node:
    elements: Sequence[Node] = node.value
    if not step.isdecimal() or int(step) >= len(elements):
        raise ValueError(f"--set {path}: {step} must be the number of an element, 0 to {len(elements) - 1}")
    return elements[int(step)]


def _put(node: Node, key: str, value: Node, path: str) -> None:
    if isinstance(node, yaml.SequenceNode):
        _element(node, key, path)
        node.value[int(key)] = value
        return
    if not isinstance(node, yaml.MappingNode):
        raise ValueError(f"--set {path}: {key} is below a single value")
    name = yaml.ScalarNode(_TEXT, key)
    _mark_as_set(name)
    node.value = [pair for pair in node.value if pair[0].value != key] + [(name, value)]


def _mark_as_set(node: Node) -> None:
    node.start_mark = yaml.Mark("--set", 0, _SET_LINE, 0, None, 0)
    if isinstance(node, yaml.SequenceNode):
        for element in node.value:
            _mark_as_set(element)
    if isinstance(node, yaml.MappingNode):
        for pair in node.value:
            for child in pair:
                _mark_as_set(child)
