"""One operation in progress: who asked for it, the state it reads and the decision it builds."""

from collections.abc import Callable
from typing import Any, Concatenate, NamedTuple, ParamSpec

from ottla.coordination.shard import Decision, Now, ParkedResponse, StartTimer, StopTimer, Ticket, TimerKey
from ottla.groups.records import GroupRecord
from ottla.groups.state.groups_state import GroupsState
from ottla.protocol.message import Message

P = ParamSpec("P")


class Client(NamedTuple):
    """Who sends a request, as descriptions of groups show it."""

    client_id: str
    client_host: str


class GroupOperation:
    """Lives for one operation. Collects records, responses and timers, which the host carries out."""

    __slots__ = ("decision", "now", "state")

    def __init__(self, state: GroupsState, now: Now) -> None:
        self.state = state
        self.now = now
        self.decision: Decision[Any] = Decision()

    def reply(self, response: Message) -> None:
        self.decision.response = response

    def park(self) -> None:
        self.decision.parked = True

    def respond(self, ticket: Ticket | None, response: Message) -> None:
        """Responds to a parked request, also to one that this operation has just parked."""
        if ticket is not None:
            self.decision.parked_responses.append(ParkedResponse(ticket, response))

    def write(self, key: Message, value: Message | None) -> None:
        self.decision.records.append(GroupRecord(key, value))

    def start(
        self,
        key: TimerKey,
        delay_ms: int,
        run: Callable[Concatenate["GroupOperation", P], None],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        self.decision.timers.append(timer(self.state, key, delay_ms, run, *args, **kwargs))

    def stop(self, key: TimerKey) -> None:
        self.decision.timers.append(StopTimer(key))

    def finish(self, ticket: Ticket | None = None) -> Decision[Any]:
        """The decision; a response to the request that is being served becomes its own."""
        decision = self.decision
        if decision.parked:
            for index, parked in enumerate(decision.parked_responses):
                if parked.ticket == ticket:
                    del decision.parked_responses[index]
                    decision.response, decision.parked = parked.response, False
                    break
        return decision


def timer(
    state: GroupsState,
    key: TimerKey,
    delay_ms: int,
    run: Callable[Concatenate[GroupOperation, P], None],
    *args: P.args,
    **kwargs: P.kwargs,
) -> StartTimer:
    """The order to begin an operation of its own when the time has come."""

    def when_due(now: Now) -> Decision[Any]:
        operation = GroupOperation(state, now)
        run(operation, *args, **kwargs)
        return operation.decision

    return StartTimer(key, delay_ms, when_due)
