"""Members with the classic protocol, as tests speak of them: join, sync, beat, leave."""

from collections.abc import Iterable, Mapping
from typing import Any

from ottla.groups.operation import Client
from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated import join_group_request, leave_group_request, sync_group_request
from ottla.protocol.generated.heartbeat_request import HeartbeatRequest
from ottla.protocol.generated.join_group_request import JoinGroupRequest
from ottla.protocol.generated.join_group_response import JoinGroupResponse
from ottla.protocol.generated.leave_group_request import LeaveGroupRequest
from ottla.protocol.generated.sync_group_request import SyncGroupRequest
from ottla.protocol.generated.sync_group_response import SyncGroupResponse
from tests.support.group_host import GroupHost, Pending


class ClassicRequests(GroupHost):
    """Part of `GroupTest`."""

    def join(
        self,
        name: str,
        *,
        version: int = 9,
        protocols: Iterable[tuple[str, bytes]] = (("range", b"\0\1\0\0\0\0"),),
        instance_id: str | None = None,
        session_timeout_ms: int = 10_000,
        rebalance_timeout_ms: int = 60_000,
        protocol_type: str = "consumer",
        as_new: bool = False,
    ) -> Pending:
        """Sends JoinGroup, twice when the coordinator asks to come again with the id it gave."""
        person = self.person(name)
        person.instance_id = instance_id
        if as_new:
            person.member_id = ""
        request = JoinGroupRequest(
            group_id=self.group_id,
            session_timeout_ms=session_timeout_ms,
            rebalance_timeout_ms=rebalance_timeout_ms,
            member_id=person.member_id,
            group_instance_id=instance_id,
            protocol_type=protocol_type,
            protocols=[join_group_request.Protocols(name=each, metadata=metadata) for each, metadata in protocols],
        )
        pending = self.ask_to_join(request, version, name)
        if pending.response is not None and pending.response.error_code == ErrorCode.MEMBER_ID_REQUIRED:
            request.member_id = pending.response.member_id
            pending = self.ask_to_join(request, version, name)
        person.last = pending
        return pending

    def ask_to_join(self, request: JoinGroupRequest, version: int, name: str) -> Pending:
        client = Client(name, f"/{name}")
        return self.park(
            lambda now, ticket: self.shard.join_group(request, version=version, client=client, ticket=ticket, now=now)
        )

    def joined(self, name: str) -> JoinGroupResponse:
        """The answer to the member's last JoinGroup, which must have come; the member takes note of it."""
        person = self.person(name)
        response = person.last.response
        assert isinstance(response, JoinGroupResponse), f"{name} still waits"
        if response.error_code == ErrorCode.NONE:
            person.member_id, person.generation = response.member_id, response.generation_id
        return response

    def sync(self, name: str, assignments: Mapping[str, bytes] | None = None, *, version: int = 5) -> Pending:
        """`assignments` by the short names of members: what a leader sends."""
        person = self.person(name)
        request = SyncGroupRequest(
            group_id=self.group_id,
            generation_id=person.generation,
            member_id=person.member_id,
            group_instance_id=person.instance_id,
            protocol_type="consumer",
            protocol_name="range",
            assignments=[
                sync_group_request.Assignments(member_id=self.person(other).member_id, assignment=data)
                for other, data in (assignments or {}).items()
            ],
        )
        person.last = self.park(
            lambda now, ticket: self.shard.sync_group(request, version=version, ticket=ticket, now=now)
        )
        return person.last

    def synced(self, name: str) -> SyncGroupResponse:
        response = self.person(name).last.response
        assert isinstance(response, SyncGroupResponse), f"{name} still waits"
        return response

    def has_stable_group(self, *names: str, **more: Any) -> None:
        """The members join one after another, the first leads, all have their assignment (their own name)."""
        present: list[str] = []
        for name in names:
            self.join(name, **more)
            for other in present:
                self.join(other, **more)
            present.append(name)
            self.settle(*present)

    def settle(self, *names: str) -> None:
        """Everybody who waits has joined; the leader assigns, all get their bytes."""
        for name in names:
            self.joined(name)
        leader = next(name for name in names if self.joined(name).leader == self.person(name).member_id)
        for name in [*(each for each in names if each != leader), leader]:
            self.sync(name, {each: each.encode() for each in names} if name == leader else None)
        for name in names:
            assert self.synced(name).error_code == ErrorCode.NONE

    def heartbeat(self, name: str, *, generation: int | None = None) -> ErrorCode:
        person = self.person(name)
        request = HeartbeatRequest(
            group_id=self.group_id,
            generation_id=person.generation if generation is None else generation,
            member_id=person.member_id,
            group_instance_id=person.instance_id,
        )
        return ErrorCode(self.run(lambda now: self.shard.heartbeat(request, now=now)).error_code)

    def leave(self, *names: str) -> list[ErrorCode]:
        request = LeaveGroupRequest(
            group_id=self.group_id,
            members=[
                leave_group_request.Members(
                    member_id=self.person(name).member_id, group_instance_id=self.person(name).instance_id
                )
                for name in names
            ],
        )
        response = self.run(lambda now: self.shard.leave_group(request, version=5, now=now))
        self.run_due()
        return [ErrorCode(member.error_code) for member in response.members]
