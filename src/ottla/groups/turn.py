"""One operation in progress: the state it reads and the decision it builds."""

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec

from ottla.coordination.shard import Answer, Decision, Now, StartTimer, StopTimer, Ticket, TimerKey
from ottla.groups.records import GroupRecord
from ottla.groups.state import GroupsState
from ottla.protocol.message import Message

P = ParamSpec("P")


class Turn:
    """Lives for one operation. Collects records, answers and timers; the host makes them take effect."""

    __slots__ = ("decision", "now", "state")

    def __init__(self, state: GroupsState, now: Now) -> None:
        self.state = state
        self.now = now
        self.decision: Decision[Any] = Decision()

    def reply(self, response: Message) -> None:
        self.decision.response = response

    def park(self) -> None:
        self.decision.parked = True

    def answer(self, ticket: Ticket | None, response: Message) -> None:
        """Answers a parked request, also one that this very operation has just parked."""
        if ticket is not None:
            self.decision.answers.append(Answer(ticket, response))

    def write(self, key: Message, value: Message | None) -> None:
        self.decision.records.append(GroupRecord(key, value))

    def start(
        self,
        key: TimerKey,
        delay_ms: int,
        operation: Callable[Concatenate["Turn", P], None],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        state = self.state

        def when_due(now: Now) -> Decision[Any]:
            turn = Turn(state, now)
            operation(turn, *args, **kwargs)
            return turn.decision

        self.decision.timers.append(StartTimer(key, delay_ms, when_due))

    def stop(self, key: TimerKey) -> None:
        self.decision.timers.append(StopTimer(key))

    def finish(self, ticket: Ticket | None = None) -> Decision[Any]:
        """The decision; an answer to the request that is just being served becomes its response."""
        decision = self.decision
        if decision.parked:
            for index, answer in enumerate(decision.answers):
                if answer.ticket == ticket:
                    del decision.answers[index]
                    decision.response, decision.parked = answer.response, False
                    break
        return decision
