"""`Broker`: a Kafka for a test. The real broker, the real protocol, started in milliseconds, with faults on demand.

with Broker() as broker:
    broker.create_topic("orders", partitions=3)
    broker.send("orders", {"id": 1}, key="a")
    ...                                              the code under test connects to broker.bootstrap
    broker.assert_received("invoices", {"order": 1})
"""

import asyncio
import functools
from collections.abc import Callable, Coroutine, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, NoReturn, ParamSpec, Protocol, Self, TypeVar

from ottla.testing.errors import UnsupportedHere

if TYPE_CHECKING:
    from ottla.client.admin.admin import AsyncAdmin
    from ottla.runtime.loop_thread import LoopThread
    from ottla.testing.clock import BrokerClock
    from ottla.testing.faults import Fault
    from ottla.testing.in_process import InProcessServer
    from ottla.testing.recording import RecordedRequest

from ottla.testing.client_calls import ClientCalls, describe

_LAST_REQUESTS = 20
P = ParamSpec("P")
T = TypeVar("T")


class Server(Protocol):
    """Where the broker runs."""

    bootstrap: str
    kind: str

    def close(self) -> None: ...


_Call = Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]


def _blocking(method: _Call[P, T]) -> Callable[Concatenate[Any, P], T]:
    """The coroutine of `ClientCalls`, waited for."""

    @functools.wraps(method)
    def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        result: T = self._clients().run(method(self._calls, *args, **kwargs))
        return result

    return call


class Broker:
    """Starts when it is created; stop it with `close`, or use it as a context manager. Threads may share it."""

    create_topic = _blocking(ClientCalls.create_topic)
    send = _blocking(ClientCalls.send)
    read = _blocking(ClientCalls.read)
    assert_received = _blocking(ClientCalls.assert_received)
    offsets = _blocking(ClientCalls.offsets)
    committed = _blocking(ClientCalls.committed)
    lag = _blocking(ClientCalls.lag)
    wait_for_group = _blocking(ClientCalls.wait_for_group)
    topics = _blocking(ClientCalls.topics)

    def __init__(
        self,
        *,
        topics: Mapping[str, int] | Sequence[str] = (),
        config: Mapping[str, Any] | None = None,
        isolation: str = "thread",
        nodes: int = 1,
        sasl: tuple[str, str] | None = None,
        tls: bool = False,
        bootstrap: str | None = None,
        refuse: Callable[[str], NoReturn] | None = None,
    ) -> None:
        """`topics`: names, or names and their numbers of partitions. `config`: settings of the broker.

        `isolation="process"` runs the broker as a process, with its data in a temporary directory. `bootstrap`: no
        broker is started, this one is used. `refuse` is called with the reason where a feature is missing; without it,
        UnsupportedHere is raised.
        """
        self._refuse = refuse or _raise_unsupported
        self._client_thread: LoopThread | None = None
        self._calls: ClientCalls
        self._check(nodes, sasl=sasl, tls=tls, isolation=isolation)
        self._is_external = bootstrap is not None
        if self._is_external and config:
            self._refuse("config needs a broker that the test kit starts")
        self._server = _start(config or {}, isolation, bootstrap)
        try:
            for name, partitions in topics.items() if isinstance(topics, Mapping) else ((each, 1) for each in topics):
                self.create_topic(name, partitions)
        except BaseException:
            self.close()
            raise

    def _check(self, nodes: int, *, sasl: tuple[str, str] | None, tls: bool, isolation: str) -> None:
        if isolation not in ("thread", "process"):
            raise ValueError(f"isolation={isolation!r}: must be 'thread' or 'process'")
        if nodes < 1:
            raise ValueError(f"nodes={nodes}: must be 1 or more")
        if nodes > 1:
            self._refuse(f"nodes={nodes}: a broker has one node until clusters are supported; use nodes=1")
        if sasl is not None or tls:
            self._refuse("sasl and tls: the broker serves plaintext listeners only until logins are supported")

    @property
    def bootstrap(self) -> str:
        """`host:port`, for bootstrap.servers."""
        return self._server.bootstrap

    @property
    def config(self) -> dict[str, Any]:
        """What a client needs to connect, with Kafka's names: for confluent-kafka and `ottla.client`."""
        return {"bootstrap.servers": self.bootstrap}

    def close(self) -> None:
        """Stops the broker; nothing of it is left. More than once does no harm."""
        thread, self._client_thread = self._client_thread, None
        try:
            if thread is not None:
                try:
                    if self._is_external:
                        thread.run(self._calls.delete_created_topics())
                    thread.run(self._calls.close())
                finally:
                    thread.close()
        finally:
            self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _clients(self) -> "LoopThread":
        """The thread of the kit's own clients; started with the first call that needs one."""
        if self._client_thread is None:
            from ottla.runtime.loop_thread import LoopThread

            clock = getattr(self._server, "clock", None)
            self._calls = ClientCalls(self.bootstrap, None if clock is None else clock.now_ms)
            self._client_thread = LoopThread("ottla test clients")
            self._client_thread.run(self._calls.start())
        return self._client_thread

    def admin(self, call: "Callable[[AsyncAdmin], Coroutine[Any, Any, T]]") -> T:
        """Runs any call of the admin client: `broker.admin(lambda admin: admin.delete_topics(["orders"]))`."""
        return self._clients().run(call(self._calls.admin))

    # faults and time

    def fail(self, api: str, error: str | int, times: int | None = None, *, client_id: str | None = None) -> "Fault":
        """Refuses requests of an API (`Produce`) with an error (`NOT_LEADER_OR_FOLLOWER`), without handling them."""
        return self._inside("fail").faults.fail(api, error, times=times, client_id=client_id)

    def delay(
        self, api: str | None, seconds: float, times: int | None = None, *, client_id: str | None = None
    ) -> "Fault":
        """Handles requests of an API (None: of all) so many seconds later."""
        return self._inside("delay").faults.delay(api, seconds, times=times, client_id=client_id)

    def drop_connections(
        self,
        api: str | None = None,
        times: int | None = None,
        *,
        client_id: str | None = None,
        after_handling: bool = False,
    ) -> "Fault":
        """Closes the connection of each matching request instead of handling it, or in place of its response.

        Without `api`, connections that are open now are closed at once.
        """
        server = self._inside("drop_connections")
        fault = server.faults.drop(api, times=times, client_id=client_id, after_handling=after_handling)
        if api is None:
            server.drop_open_connections(client_id)
        return fault

    @property
    def clock(self) -> "BrokerClock":
        """The broker's time: `broker.clock.advance(hours=2)`."""
        return self._inside("clock").clock

    def compact(self) -> None:
        """Compacts all topics with cleanup.policy=compact now, whatever their dirty ratio is.

        As in Kafka, what is younger than min.compaction.lag.ms, and tombstones younger than delete.retention.ms, stay.
        """
        server = self._inside("compact")
        server.run(server.node.maintenance.compact_everything())

    def apply_retention(self) -> None:
        """Deletes now what is older than retention.ms or beyond retention.bytes."""
        server = self._inside("apply_retention")
        server.run(server.node.maintenance.apply_retention())

    def max_version(self, release: str) -> None:
        """From now on the broker acts like a release of Apache Kafka (`2.8`): newer APIs and versions are not served.

        Connections that are open are closed, so that clients ask for the versions again.
        """
        self._inside("max_version").act_like(release)

    def requests(self, api: str | None = None, *, client_id: str | None = None) -> "Sequence[RecordedRequest]":
        """The requests that clients have sent, oldest first; not those of this object."""
        return self._inside("requests").recording.requests(api, client_id)

    def _inside(self, what: str) -> "InProcessServer":
        from ottla.testing.in_process import InProcessServer

        if not isinstance(self._server, InProcessServer):
            self._refuse(f"{what} needs a broker in the test's process; this is {self._server.kind}")
        return self._server

    def describe(self) -> str:
        """Topics, offsets, groups and the last requests, as text: what the report of a failed test shows."""
        from ottla.testing.in_process import InProcessServer

        text = self._clients().run(describe(self._calls))
        if isinstance(self._server, InProcessServer):
            last = self._server.recording.requests()[-_LAST_REQUESTS:]
            text = "\n".join([text, f"last {len(last)} requests:", *(f"  {each}" for each in last)])
        return text

    # with several nodes

    def kill(self, node: int | None = None, *, leader_of: tuple[str, int] | None = None) -> None:
        """Stops a node as a crash would."""
        self._needs_cluster("kill")

    def restart(self, node: int) -> None:
        """Starts a node again that was killed."""
        self._needs_cluster("restart")

    def move_leader(self, topic: str, partition: int, *, to: int) -> None:
        """Creates a node lead a partition."""
        self._needs_cluster("move_leader")

    def partition_network(self, *sides: set[int]) -> None:
        """Cuts the connections between groups of nodes."""
        self._needs_cluster("partition_network")

    def _needs_cluster(self, what: str) -> NoReturn:
        self._refuse(f"{what} needs several nodes: a broker has one node until clusters are supported")


class AsyncBroker:
    """A `Broker` whose calls are coroutines, for tests with asyncio: `await akafka.send(...)`.

    Everything else (`bootstrap`, `fail`, `clock`, `requests`, ...) is the same, and as fast as a method call.
    """

    def __init__(self, broker: Broker) -> None:
        self.broker = broker

    def __getattr__(self, name: str) -> Any:
        method = getattr(ClientCalls, name, None)
        if name in _COROUTINES and method is not None:

            @functools.wraps(method)
            async def call(*args: Any, **kwargs: Any) -> Any:
                thread = self.broker._clients()
                return await asyncio.wrap_future(thread.start(method(self.broker._calls, *args, **kwargs)))

            return call
        return getattr(self.broker, name)


_COROUTINES = frozenset(
    {"assert_received", "committed", "create_topic", "lag", "offsets", "read", "send", "topics", "wait_for_group"}
)


class ExternalServer:
    """A Kafka that somebody else runs, for `--kafka-bootstrap`: only clients reach it."""

    kind = "a broker that the test kit did not start"

    def __init__(self, bootstrap: str) -> None:
        self.bootstrap = bootstrap

    def close(self) -> None:
        """It is not ours to stop."""


def _start(config: Mapping[str, Any], isolation: str, bootstrap: str | None) -> Server:
    if bootstrap is not None:
        return ExternalServer(bootstrap)
    if isolation == "process":
        from ottla.testing.server_process import ServerProcess

        return ServerProcess(config)
    from ottla.testing.in_process import InProcessServer

    return InProcessServer(config)


def _raise_unsupported(reason: str) -> NoReturn:
    raise UnsupportedHere(reason)
