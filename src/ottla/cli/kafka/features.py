"""`ottla features` (kafka-features.sh): features of the cluster, their levels, upgrades and downgrades."""

from typing import NamedTuple

import click

from ottla.cli.failures import Failure, usage
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool, tool_group
from ottla.client import FeatureChange

features = tool_group(
    "features",
    is_kafka=True,
    asks_controllers=True,
    help="Features of the cluster and their levels (kafka-features.sh).",
)

#: The level of the first name of metadata.version: level 7 is 3.3-IV3.
_FIRST_LEVEL = 7
#: Release -> how many versions it has; 3.3 had three before Kafka's quorum was ready.
_RELEASES = {
    "3.3": range(3, 4),
    "3.4": range(1),
    "3.5": range(3),
    "3.6": range(3),
    "3.7": range(5),
    "3.8": range(1),
    "3.9": range(1),
    "4.0": range(4),
    "4.1": range(2),
    "4.2": range(2),
    "4.3": range(1),
}
_METADATA_VERSIONS = [f"{release}-IV{number}" for release, numbers in _RELEASES.items() for number in numbers]


class FeatureRow(NamedTuple):
    feature: str
    supported_min_version: str
    supported_max_version: str
    finalized_version_level: str
    epoch: int


@kafka_tool("describe")
@click.option("--node-id", type=int, metavar="ID", help="What this node supports.")
def describe(run: Run, node_id: int | None) -> Result:
    """Describe the supported and the finalized levels."""
    with run.admin() as admin:
        found = admin.describe_features(node_id)
    rows = [
        FeatureRow(
            name,
            _level_text(name, low),
            _level_text(name, high),
            _level_text(name, found.finalized.get(name, 0)),
            found.epoch,
        )
        for name, (low, high) in sorted(found.supported.items())
    ]
    text = "\n".join(
        f"Feature: {row.feature:<40}  SupportedMinVersion: {row.supported_min_version:<15}  "
        f"SupportedMaxVersion: {row.supported_max_version:<15}  "
        f"FinalizedVersionLevel: {row.finalized_version_level:<15}  Epoch: {row.epoch}"
        for row in rows
    )
    return Result("features", rows, FeatureRow._fields, text=text)


def _levels(texts: tuple[str, ...]) -> dict[str, int]:
    found = {}
    for text in texts:
        name, equals, level = text.partition("=")
        if not equals:
            raise usage(f"Can't parse feature=level string {text}: equals sign not found.")
        found[name] = _level_of(name, level)
    return found


def _change(run: Run, levels: dict[str, int], change: FeatureChange, word: str, dry_run: bool) -> Result:
    if not levels:
        raise usage("You must specify at least one feature", "--feature NAME=LEVEL")
    with run.admin() as admin:
        admin.update_features(levels, change=change, validate_only=dry_run)
    start = "can be" if dry_run else "was"
    lines = [f"{name} {start} {word} {_level_text(name, level)}." for name, level in sorted(levels.items())]
    return Result("changed_features", sorted(levels), text="\n".join(lines))


_FEATURE = click.option("--feature", "names", multiple=True, metavar="NAME=LEVEL", help="A feature; repeatable.")
_DRY_RUN = click.option("--dry-run", is_flag=True, help="Validate only.")
_RELEASE = click.option("--release-version", "--metadata", "release", metavar="VERSION", help="A release, e.g. 4.3.")


@kafka_tool("upgrade")
@_FEATURE
@_RELEASE
@_DRY_RUN
def upgrade(run: Run, names: tuple[str, ...], release: str | None, dry_run: bool) -> Result:
    """Raise levels."""
    levels = _levels(names)
    if release is not None:
        levels["metadata.version"] = _level_of("metadata.version", release)
    return _change(run, levels, FeatureChange.UPGRADE, "upgraded to", dry_run)


@kafka_tool("downgrade")
@_FEATURE
@_RELEASE
@_DRY_RUN
@click.option("--unsafe", is_flag=True, help="Allow the loss of metadata.")
def downgrade(run: Run, names: tuple[str, ...], release: str | None, dry_run: bool, unsafe: bool) -> Result:
    """Lower levels."""
    levels = _levels(names)
    if release is not None:
        levels["metadata.version"] = _level_of("metadata.version", release)
    change = FeatureChange.UNSAFE_DOWNGRADE if unsafe else FeatureChange.SAFE_DOWNGRADE
    return _change(run, levels, change, "downgraded to", dry_run)


@kafka_tool("disable")
@click.option("--feature", "names", multiple=True, metavar="NAME", help="A feature; repeatable.")
@_DRY_RUN
@click.option("--unsafe", is_flag=True, help="Allow the loss of metadata.")
def disable(run: Run, names: tuple[str, ...], dry_run: bool, unsafe: bool) -> Result:
    """Set levels to 0."""
    if "metadata.version" in names:
        raise Failure("metadata.version cannot be disabled")
    change = FeatureChange.UNSAFE_DOWNGRADE if unsafe else FeatureChange.SAFE_DOWNGRADE
    with run.admin() as admin:
        admin.update_features(dict.fromkeys(names, 0), change=change, validate_only=dry_run)
    start = "can be" if dry_run else "was"
    return Result("changed_features", sorted(names), text="\n".join(f"{name} {start} disabled." for name in names))


def _level_text(feature: str, level: int) -> str:
    """The name of a level of metadata.version; the number of any other feature."""
    if feature == "metadata.version" and 0 <= level - _FIRST_LEVEL < len(_METADATA_VERSIONS):
        return _METADATA_VERSIONS[level - _FIRST_LEVEL]
    return str(level)


def _level_of(feature: str, text: str) -> int:
    """A number, or for metadata.version a name or a release (its newest version). Raises Failure."""
    if text.isdigit():
        return int(text)
    if feature == "metadata.version":
        found = [
            index for index, name in enumerate(_METADATA_VERSIONS) if name == text or name.startswith(f"{text}-IV")
        ]
        if found:
            return _FIRST_LEVEL + found[-1]
    raise usage(f"Can't parse feature=level string {feature}={text}: unable to parse {text} as a level")


for each in (describe, upgrade, downgrade, disable):
    features.add_command(each)
