"""`ottla doctor`: each step from a name to a working connection, and what to change at the first that fails."""

import socket
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

import click

from ottla.cli.exit_codes import EXIT_FAILED
from ottla.cli.failures import Failure, usage
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import verb
from ottla.client.errors import AuthenticationFailed, ClientError, RequestRefused

_CONNECT_S = 3.0
T = TypeVar("T")
_ASK_MS = 5_000


class Step(NamedTuple):
    step: str
    target: str
    status: str
    detail: str
    advice: str | None


@verb()
@click.argument("server", required=False, metavar="[HOST:PORT]")
def doctor(run: Run, server: str | None) -> Result:
    """Check each step to a broker: DNS, TCP, TLS and login, ApiVersions, Metadata, every advertised address.

    The first step that fails comes with the one thing to change.
    """
    if server is not None:
        run.flags = run.flags._replace(bootstrap=server)
    steps = list(_steps(run))
    failed = next((step for step in steps if step.status == "failed"), None)
    if failed is not None and failed.advice:
        run.note(f"hint: {failed.advice}")
    columns = ("step", "target", "status", "detail")
    return Result("diagnosis", steps, columns, ("advice",), exit_code=EXIT_FAILED if failed is not None else 0)


def _steps(run: Run) -> Iterator[Step]:
    connection = run.connection
    yield Step("settings", connection.servers, "ok", f"from {connection.source}", None)
    reached = False
    for server in connection.servers.split(","):
        host, port = _address(server.strip())
        found = list(_reach(host, port, "is the broker running, and is this its port? check `listeners` of the broker"))
        yield from found
        reached = reached or all(step.status == "ok" for step in found)
    if reached:
        yield from _ask(run)


def _address(server: str) -> tuple[str, int]:
    host, colon, port = server.rpartition(":")
    if not colon or not port.isdigit():
        raise usage(f"{server}: give HOST:PORT")
    return host.strip("[]"), int(port)


def _reach(host: str, port: int, advice: str) -> Iterator[Step]:
    try:
        found = sorted({str(row[4][0]) for row in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)})
    except OSError as error:
        text = "this name does not resolve here: use another name, or add it to /etc/hosts"
        yield Step("dns", host, "failed", error.strerror or str(error), text)
        return
    yield Step("dns", host, "ok", ", ".join(found), None)
    began = time.monotonic()
    try:
        socket.create_connection((host, port), timeout=_CONNECT_S).close()
    except OSError as error:
        yield Step("tcp", f"{host}:{port}", "failed", error.strerror or str(error), advice)
        return
    yield Step("tcp", f"{host}:{port}", "ok", f"{(time.monotonic() - began) * 1000:.0f} ms", None)


def _ask(run: Run) -> Iterator[Step]:
    """What needs Kafka's protocol."""
    from ottla.client import Admin
    from ottla.config.admin_options import AdminOptions

    servers, protocol = run.connection.servers, run.connection.properties.get("security.protocol", "PLAINTEXT")
    with Admin(run.settings(AdminOptions, client_id="ottla-doctor")) as admin:
        step, features = _try("api-versions", servers, protocol, lambda: admin.describe_features(timeout_ms=_ASK_MS))
        yield step
        if features is None:
            return
        step, cluster = _try("metadata", servers, "cluster", lambda: admin.describe_cluster(timeout_ms=_ASK_MS))
        yield step._replace(detail=f"cluster {cluster.cluster_id}, {len(cluster.nodes)} nodes") if cluster else step
        for node in cluster.nodes if cluster is not None else ():
            advice = f"the broker advertises {node.host}:{node.port}: set `advertised.listeners` to what clients reach"
            for each in _reach(node.host, node.port, advice):
                yield each._replace(step=f"advertised {each.step}")


def _try(name: str, target: str, detail: str, ask: Callable[[], T]) -> tuple[Step, T | None]:
    try:
        return Step(name, target, "ok", detail, None), ask()
    except AuthenticationFailed as error:
        is_tls = "certificate" in str(error) or "ssl" in str(error).lower()
        advice = "set ssl.truststore.location" if is_tls else "check sasl.mechanism, sasl.username and sasl.password"
        return Step("tls" if is_tls else "sasl", target, "failed", str(error), advice), None
    except RequestRefused as error:
        return Step(name, target, "failed", str(error), None), None
    except (ClientError, Failure) as error:
        last = str(error).rpartition("last error: ")[2]
        advice = "the port is open, but Kafka's protocol gets no response: is security.protocol right (SSL, SASL_SSL)?"
        return Step(name, target, "failed", last, advice), None
