"""`ottla groups` (kafka-groups.sh): groups of all types."""

from typing import NamedTuple

import click

from ottla.cli.failures import usage
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tables import table
from ottla.cli.tool import kafka_tool
from ottla.client import GroupListing

_TYPES = ("consumer", "classic", "share", "streams")


class GroupRow(NamedTuple):
    group: str
    type: str
    protocol: str


@kafka_tool("groups")
@click.option("--list", "list_", is_flag=True, help="List the groups.")
@click.option("--group-type", type=click.Choice(_TYPES, case_sensitive=False), help="Only groups of this type.")
@click.option("--protocol", metavar="PROTOCOL", help="Only groups with this protocol.")
@click.option("--consumer", is_flag=True, help="Only groups of consumers, of both protocols.")
@click.option("--share", is_flag=True, help="Only share groups.")
@click.option("--streams", is_flag=True, help="Only groups of streams applications.")
def groups(
    run: Run, list_: bool, group_type: str | None, protocol: str | None, consumer: bool, share: bool, streams: bool
) -> Result:
    """List groups of all types (kafka-groups.sh)."""
    if not list_:
        raise usage("Command must include exactly one action: --list.")
    if sum((consumer, share, streams, group_type is not None or protocol is not None)) > 1:
        raise usage("only one of --consumer, --share, --streams, or --group-type with --protocol")

    def fits(listing: GroupListing) -> bool:
        kind = listing.type.lower()
        if consumer:
            return kind in ("consumer", "classic") and listing.protocol_type in ("consumer", "")
        if share or streams:
            return kind == ("share" if share else "streams")
        is_type = group_type is None or kind == group_type.lower()
        return is_type and (protocol is None or listing.protocol_type == protocol)

    with run.admin() as admin:
        rows = [
            GroupRow(each.group_id, each.type.capitalize(), each.protocol_type)
            for each in admin.list_groups()
            if fits(each)
        ]
    widest = max(20, *(len(cell) for row in rows for cell in row)) if rows else 20
    # Kafka's tool has one more blank at the end of a row than at the end of the titles.
    first, *lines = table(["GROUP", "TYPE", "PROTOCOL"], rows, widths=(widest,) * 3, pads_last=True).split("\n")
    text = "\n".join([first, *(f"{line} " for line in lines)])
    return Result("groups", rows, GroupRow._fields, text=text)
