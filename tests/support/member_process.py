"""Members of consumer groups as processes of their own: started, watched, asked to leave, killed."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from confluent_kafka import Message

from tests.support.java_programs import JavaPrograms
from tests.support.waiting import eventually


class MemberProcess:
    """What one member has told so far. The lines are those of tests/compat/programs/group_member.py."""

    def __init__(self, command: list[str], errors: Path) -> None:
        self.owned: frozenset[str] | None = None
        self.assignments: list[frozenset[str]] = []
        self.revoked: list[frozenset[str]] = []
        self.read: list[tuple[str, int, int]] = []
        self.values: list[str] = []
        self.committed: dict[tuple[str, int], int] = {}
        self._errors = errors
        with errors.open("ab") as stderr:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._hear(*line.split())

    def _hear(self, word: str, *rest: str) -> None:
        if word == "owns":
            self.owned = frozenset(rest)
            self.assignments.append(self.owned)
        elif word == "revoked":
            self.revoked.append(frozenset(rest))
        elif word == "read":
            self.read.append((rest[0], int(rest[1]), int(rest[2])))
            self.values.append(rest[3])
        elif word == "committed":
            self.committed[rest[0], int(rest[1])] = int(rest[2])

    def is_running(self) -> bool:
        return self._process.poll() is None

    def leave(self) -> None:
        """Closes its client as a good program does. All it has told is known afterwards."""
        self._process.terminate()
        self._process.wait(60)
        self._listener.join(10)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(10)
        self._listener.join(10)

    def errors(self) -> str:
        return self._errors.read_text(errors="replace")[-3000:]


#: So long may a member be silent, where none dies: longer than a busy machine lets it wait.
STEADY_SESSION_MS = 15_000
#: For a broker: groups may have sessions that tests can wait for.
SHORT_SESSIONS: dict[str, Any] = {
    "group_min_session_timeout_ms": "1000",
    "group_consumer_min_session_timeout_ms": "1000",
    "group_consumer_session_timeout_ms": str(STEADY_SESSION_MS),
    "group_consumer_min_heartbeat_interval_ms": "100",
    "group_consumer_heartbeat_interval_ms": "300",
}
#: A static member has the time to start again.
_STATIC_SESSION_MS = 30_000


class Members:
    """Starts members of one group, whatever client they are made of."""

    def __init__(self, address: str, group: str, topic: str, directory: Path, java: JavaPrograms | None) -> None:
        self._address = address
        self._java = java
        self._directory = directory
        self.group = group
        self.topic = topic
        #: Of members that are not static, in the classic protocol.
        self.session_ms = STEADY_SESSION_MS
        self.all: list[MemberProcess] = []

    def join(self, kind: str, instance_id: str | None = None) -> MemberProcess:
        session_ms = _STATIC_SESSION_MS if instance_id else self.session_ms
        words = [kind, self._address, self.group, self.topic, str(session_ms), *([instance_id] if instance_id else [])]
        if kind.startswith("java"):
            assert self._java is not None
            command = self._java.command("GroupMember", *words)
        else:
            command = [sys.executable, "-m", "tests.compat.programs.group_member", *words]
        member = MemberProcess(command, self._directory / f"member{len(self.all)}-{os.getpid()}.txt")
        self.all.append(member)
        return member

    def share(self, members: list[MemberProcess], places: set[str], *, within_s: float = 40) -> None:
        """Waits until these members own these partitions: each one at one member, and no member without work."""

        def is_shared() -> bool:
            for member in members:
                assert member.is_running(), f"a member has ended:\n{member.errors()}"
            owned = [place for member in members for place in member.owned or ()]
            return sorted(owned) == sorted(places) and all(member.owned for member in members)

        try:
            eventually(is_shared, within_s=within_s)
        except AssertionError as late:
            told = [sorted(member.owned or ()) for member in members]
            raise AssertionError(f"{late}: owned {told}\n{[member.errors() for member in members]}") from None

    def committed(self) -> dict[tuple[str, int], int]:
        """The furthest commit per partition that any member was told to be safe."""
        furthest: dict[tuple[str, int], int] = {}
        for member in self.all:
            for place, offset in member.committed.items():
                furthest[place] = max(offset, furthest.get(place, 0))
        return furthest

    def read(self) -> set[tuple[str, int, int]]:
        return {record for member in self.all for record in list(member.read)}

    def reads_on(self, seen: int) -> None:
        """Waits until they have read more than so many records."""
        eventually(lambda: len(self.read()) > seen, what="records flow")

    def reads(self, sent: set[tuple[str, int, int]], what: str) -> None:
        """Waits until they have read all that was sent, whoever of them."""

        def story() -> str:
            found, errors = self.read(), [member.errors() for member in self.all]
            return f"{what} ({len(found & sent)} of {len(sent)} read, {len(found - sent)} unknown)\n{errors}\n"

        eventually(lambda: self.read() == sent, what=story)

    def kill_all(self) -> None:
        for member in self.all:
            if member.is_running():
                member.kill()


#: Of members of a group on a topic; another broker than that of the fixture may be given.
FormGroup = Callable[..., Members]


@contextmanager
def forming(address: str, directory: Path, java: JavaPrograms | None) -> Iterator[FormGroup]:
    """Members that are left in the end are killed."""
    formed: list[Members] = []

    def form(group: str, topic: str, at: str = address) -> Members:
        formed.append(Members(at, group, topic, directory, java))
        return formed[-1]

    try:
        yield form
    finally:
        for members in formed:
            members.kill_all()


def place_of(message: Message) -> tuple[str, int, int]:
    """Topic, partition and offset of a record that was delivered."""
    topic, partition, offset = message.topic(), message.partition(), message.offset()
    assert topic is not None
    assert partition is not None
    assert offset is not None
    return topic, partition, offset
