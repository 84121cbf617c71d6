"""Members with the protocol of KIP-848, as tests speak of them."""

from collections.abc import Iterable, Mapping
from typing import Any

from ottla.groups.operation import Client
from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated import consumer_group_heartbeat_request as heartbeat_request
from ottla.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest
from ottla.protocol.generated.consumer_group_heartbeat_response import ConsumerGroupHeartbeatResponse
from tests.support.group_host import GroupHost
from tests.support.group_topics import topic_id


class ConsumerRequests(GroupHost):
    """Part of `GroupTest`."""

    def beat(
        self,
        name: str,
        *topics: str,
        epoch: int | None = None,
        owned: Mapping[str, Iterable[int]] | None = None,
        version: int = 1,
        **fields: Any,
    ) -> ConsumerGroupHeartbeatResponse:
        """ConsumerGroupHeartbeat. With topics the member joins (epoch 0) unless another epoch is given."""
        person = self.person(name)
        person.instance_id = fields.get("instance_id", person.instance_id)
        is_joining = epoch == 0 or (epoch is None and person.generation <= 0)
        if is_joining:
            fields = {"rebalance_timeout_ms": 60_000, "topic_partitions": [], **fields}
            if "subscribed_topic_regex" not in fields:
                fields.setdefault("subscribed_topic_names", list(topics))
        elif topics:
            fields.setdefault("subscribed_topic_names", list(topics))
        if owned is not None:
            fields["topic_partitions"] = [
                heartbeat_request.TopicPartitions(topic_id=topic_id(topic), partitions=list(partitions))
                for topic, partitions in owned.items()
            ]
        fields.setdefault("instance_id", person.instance_id)
        request = ConsumerGroupHeartbeatRequest(
            group_id=self.group_id,
            member_id=fields.pop("member_id", name),
            member_epoch=(0 if is_joining else person.generation) if epoch is None else epoch,
            **fields,
        )
        client = Client(name, f"/{name}")
        response = self.run(
            lambda now: self.shard.consumer_group_heartbeat(request, version=version, client=client, now=now)
        )
        self.run_due()
        if response.error_code == ErrorCode.NONE:
            person.generation = response.member_epoch
            person.member_id = response.member_id or ""
        return response

    def steps_down(self, name: str, *, epoch: int = -1) -> ErrorCode:
        """A consumer member leaves; with -2 a static one that will be back."""
        response = self.beat(name, epoch=epoch)
        self.person(name).generation = -1
        return ErrorCode(response.error_code)

    def consumer_group(self) -> Any:
        return self.shard.describe_consumer_group(self.group_id).response

    def assigned(self, name: str) -> dict[str, list[int]]:
        """What the coordinator says the member has."""
        return self._partitions(name, "assignment")

    def target(self, name: str) -> dict[str, list[int]]:
        return self._partitions(name, "target_assignment")

    def _partitions(self, name: str, which: str) -> dict[str, list[int]]:
        member_id = self.person(name).member_id or name
        member = next(member for member in self.consumer_group().members if member.member_id == member_id)
        return {entry.topic_name: entry.partitions for entry in getattr(member, which).topic_partitions}


def partitions_in(answer: ConsumerGroupHeartbeatResponse) -> list[list[int]]:
    """What the member is told to own, topic by topic."""
    assert answer.assignment is not None
    return [topic.partitions for topic in answer.assignment.topic_partitions]
