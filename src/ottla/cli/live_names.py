"""Names of topics, groups and brokers for shell completion: asked of the cluster, kept for five seconds."""

import json
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ottla.cli.failures import EXPECTED, Failure
from ottla.cli.run import run_of

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ottla.client import Admin

#: Names of options and arguments -> what their values are.
LIVE = {
    "topic": "topics",
    "topics": "topics",
    "group": "groups",
    "groups": "groups",
    "broker_id": "brokers",
    "broker_list": "brokers",
}
_KEPT_S = 5.0
_REACH_MS = 300


class LiveName(click.types.StringParamType):
    """A text; completion offers what the cluster has."""

    def __init__(self, what: str) -> None:
        self.what = what

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list["CompletionItem"]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in live_names(ctx, self.what) if name.startswith(incomplete)]


def complete_names(parameters: Iterable[click.Parameter]) -> None:
    """Options and arguments that are named after things of the cluster complete their names."""
    for parameter in parameters:
        if parameter.name in LIVE and isinstance(parameter.type, click.types.StringParamType):
            parameter.type = LiveName(LIVE[parameter.name])


def live_names(context: click.Context, what: str) -> list[str]:
    """Nothing when no broker responds soon: the shell waits for this."""
    run = run_of(context)
    try:
        path = _cache_file(f"{run.connection.servers}-{what}")
        kept = _read(path)
        if kept is not None:
            return kept
        with run.admin(reach_timeout_ms=_REACH_MS) as admin:
            names = _ask(admin, what)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(names), encoding="utf-8")
        return names
    except (Failure, *EXPECTED):
        return []


def _ask(admin: "Admin", what: str) -> list[str]:
    if what == "topics":
        return [each.name for each in admin.list_topics()]
    if what == "groups":
        return [each.group_id for each in admin.list_groups()]
    return [str(node.id) for node in admin.describe_cluster().nodes]


def _cache_file(key: str) -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.environ.get("HOME", "~"), ".cache")
    safe = "".join(letter if letter.isalnum() else "_" for letter in key)[:100]
    return Path(base).expanduser() / "ottla" / f"completion-{safe}.json"


def _read(path: Path) -> list[str] | None:
    try:
        if time.time() - path.stat().st_mtime > _KEPT_S:
            return None
        names = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return [str(name) for name in names]
