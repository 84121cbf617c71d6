"""`ottla broker-api-versions` (kafka-broker-api-versions.sh): which APIs each broker serves, in which versions."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool
from ottla.client import Node, ServedVersions
from ottla.protocol.api_keys import api
from ottla.protocol.generated.catalog import APIS

#: Our client knows these APIs of brokers only by name.
_BROKER = "broker"


class ApiRow(NamedTuple):
    broker_id: int
    api_key: int
    api: str
    min_version: int | None
    max_version: int | None
    usable_version: int | None


@kafka_tool("broker-api-versions")
def broker_api_versions(run: Run) -> Result:
    """Show the APIs that each broker serves, with their versions (kafka-broker-api-versions.sh)."""
    rows: list[ApiRow] = []
    blocks: list[str] = []
    with run.admin() as admin:
        for node in admin.describe_cluster().nodes:
            found = api_rows(node, admin.describe_api_versions(node.id))
            rows += found
            blocks.append(_block(node, found))
    columns = ("broker_id", "api_key", "api", "min_version", "max_version", "usable_version")
    return Result("api_versions", rows, columns, name="api", text="\n".join(blocks))


def api_rows(node: Node, served: Mapping[int, ServedVersions]) -> list[ApiRow]:
    """Those that this client knows and brokers have, and all that the broker serves."""
    known = [key for key in APIS if _BROKER in api(key).listeners]
    return [_row(node.id, key, served.get(key)) for key in sorted({*known, *served})]


def _row(broker_id: int, key: int, served: ServedVersions | None) -> ApiRow:
    if key not in APIS:
        assert served is not None
        return ApiRow(broker_id, key, "UNKNOWN", served.min_version, served.max_version, None)
    known = api(key)
    if served is None:
        return ApiRow(broker_id, key, known.name, None, None, None)
    usable = min(served.max_version, known.last_stable)
    is_usable = usable >= max(served.min_version, known.min_version)
    return ApiRow(broker_id, key, known.name, served.min_version, served.max_version, usable if is_usable else None)


def _block(node: Node, rows: Sequence[ApiRow]) -> str:
    lines = ",\n".join(f"\t{_text(row)}" for row in rows)
    return f"{node.host}:{node.port} (id: {node.id} rack: {node.rack or 'null'} isFenced: false) -> (\n{lines}\n)"


def _text(row: ApiRow) -> str:
    if row.api == "UNKNOWN":
        return f"UNKNOWN({row.api_key}): {_range(row)}"
    if row.min_version is None:
        return f"{row.api}({row.api_key}): UNSUPPORTED"
    usable = f"usable: {row.usable_version}" if row.usable_version is not None else "unusable: node too new"
    return f"{row.api}({row.api_key}): {_range(row)} [{usable}]"


def _range(row: ApiRow) -> str:
    if row.min_version == row.max_version:
        return f"{row.min_version}"
    return f"{row.min_version} to {row.max_version}"
