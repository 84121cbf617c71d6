"""`ottla cluster` (kafka-cluster.sh): the id of the cluster, its endpoints, brokers that are gone for good."""

from typing import NamedTuple

import click

from ottla.cli.failures import Failure
from ottla.cli.old_flags import renamed
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tables import table
from ottla.cli.tool import kafka_tool, tool_group
from ottla.client import EndpointType, UnsupportedByBroker

_OLD = (renamed("--config", "--command-config"),)
#: Columns with their minimum widths.
_WIDTHS = {"id": 10, "host": 9, "port": 10, "rack": 10, "state": 10, "endpoint_type": 15}

cluster = tool_group(
    "cluster", is_kafka=True, help="The id of the cluster, its endpoints, brokers that are gone (kafka-cluster.sh)."
)


class ClusterId(NamedTuple):
    cluster_id: str


class Endpoint(NamedTuple):
    id: int
    host: str
    port: int
    rack: str | None
    state: str | None
    endpoint_type: str


@kafka_tool("cluster-id", old=_OLD, asks_controllers=True)
def cluster_id(run: Run) -> Result:
    """Print the id of the cluster."""
    with run.admin() as admin:
        found = admin.describe_cluster().cluster_id
    return Result("cluster_id", [ClusterId(found)], ("cluster_id",), text=f"Cluster ID: {found}")


@kafka_tool("unregister", old=_OLD, asks_controllers=True)
@click.option("--id", "broker_id", type=int, required=True, metavar="ID", help="The broker that is gone for good.")
def unregister(run: Run, broker_id: int) -> Result:
    """Forget a broker that was shut down for good."""
    with run.admin() as admin:
        try:
            admin.unregister_broker(broker_id)
        except UnsupportedByBroker as error:
            raise Failure("The target cluster does not support the broker unregistration API.") from error
    return Result("unregistered", [broker_id], text=f"Broker {broker_id} is no longer registered.")


@kafka_tool("list-endpoints", old=_OLD, asks_controllers=True)
@click.option("--include-fenced-brokers", is_flag=True, help="Brokers too that are registered but do not serve.")
def list_endpoints(run: Run, include_fenced_brokers: bool) -> Result:
    """List the endpoints of brokers, or of controllers."""
    kind = EndpointType.BROKER if run.flags.controllers is None else EndpointType.CONTROLLER
    with run.admin() as admin:
        found = admin.describe_cluster(include_fenced=include_fenced_brokers)
    is_broker = kind is EndpointType.BROKER
    rows = [
        Endpoint(
            node.id,
            node.host,
            node.port,
            node.rack,
            ("fenced" if node.id in found.fenced else "unfenced") if is_broker else None,
            kind.name.lower(),
        )
        for node in found.nodes
    ]
    shown = [name for name in _WIDTHS if is_broker or name != "state"]
    cells = [[str(getattr(row, name)).replace("None", "null") for name in shown] for row in rows]
    widths = [_WIDTHS[name] for name in shown]
    text = table([name.upper() for name in shown], cells, widths=widths, pads_last=True)
    columns = ("id", "host", "port", "rack", "state", "endpoint_type")
    return Result("endpoints", rows, columns, text=text)


for each in (cluster_id, unregister, list_endpoints):
    cluster.add_command(each)
