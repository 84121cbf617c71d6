"""`AsyncAdmin`: what an operator asks of a cluster. Each method is a line; the work is in the files beside this one."""

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from ottla.client.admin import acls as acl_calls
from ottla.client.admin import cluster as cluster_calls
from ottla.client.admin import configs as config_calls
from ottla.client.admin import groups as group_calls
from ottla.client.admin import offsets as offset_calls
from ottla.client.admin import replicas as replica_calls
from ottla.client.admin import topics as topic_calls
from ottla.client.admin import transactions as transaction_calls
from ottla.client.admin import users as user_calls
from ottla.client.admin.acls import Acl, AclFilter
from ottla.client.admin.call import Call
from ottla.client.admin.cluster import (
    ClusterDescription,
    EndpointType,
    FeatureChange,
    Features,
    QuorumDescription,
    ServedVersions,
)
from ottla.client.admin.configs import ConfigChange, ConfigEntry, ConfigResource, ConfigResourceType
from ottla.client.admin.groups import GroupDescription, GroupListing
from ottla.client.admin.offsets import ListedOffset, OffsetSpec
from ottla.client.admin.replicas import LogDirectory, Reassignment
from ottla.client.admin.topics import EligibleLeaders, NewTopic, TopicDescription, TopicListing
from ottla.client.admin.transactions import ProducerState, TransactionDescription, TransactionListing
from ottla.client.admin.users import QuotaEntity, ScramCredential
from ottla.client.errors import RequestRefused
from ottla.client.lifetime import Lifetime
from ottla.client.offsets import OffsetAndMetadata, Offsets
from ottla.client.producer.transaction_handle import TransactionHandle
from ottla.config.admin_options import AdminOptions
from ottla.doors.world import World
from ottla.model.topic import TopicPartition

_SCRAM_ITERATIONS = 8192


class AsyncAdmin:
    """Topics, configs, groups, transactions and nodes of a cluster, for asyncio. `Admin` is the same without asyncio.

    Settings are Kafka's, with Python names as keywords or with their own in a mapping. Every call takes `timeout_ms`;
    without it `default.api.timeout.ms` is the limit. Errors that may pass are retried until then. Where several things
    are asked for and some fail, the first error is raised, and its `failures` has the error of each.

    >>> async def example(servers):
    ...     async with AsyncAdmin(bootstrap_servers=servers) as admin:
    ...         await admin.create_topics([NewTopic("payments", partitions=3)])
    ...         description = await admin.describe_topics(["payments"])
    ...         return len(description["payments"].partitions)
    >>> asyncio.run(example(servers))
    3
    """

    def __init__(
        self, config: Mapping[str, Any] | None = None, /, *, world: World | None = None, **options: Any
    ) -> None:
        """Raises InvalidConfig with all that is wrong. Nothing is opened before `start`."""
        self._lifetime = Lifetime(AdminOptions, config, options, world)

    async def start(self) -> None:
        """Done by `async with`. Connects to nobody: the first call does."""
        self._lifetime.start()

    async def close(self) -> None:
        await self._lifetime.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    def _call(self, what: str, timeout_ms: int | None) -> Call:
        limit_ms = self._lifetime.options.default_api_timeout_ms if timeout_ms is None else timeout_ms
        return Call(self._lifetime.cluster, what, limit_ms)

    # the cluster

    async def describe_cluster(
        self,
        *,
        endpoint_type: EndpointType | None = None,
        include_fenced: bool = False,
        timeout_ms: int | None = None,
    ) -> ClusterDescription:
        """The brokers; with `bootstrap.controllers` the controllers."""
        call = self._call("describe_cluster", timeout_ms)
        if endpoint_type is None:
            endpoint_type = EndpointType.CONTROLLER if call.cluster.asks_controllers else EndpointType.BROKER
        return await cluster_calls.describe_cluster(call, endpoint_type, include_fenced=include_fenced)

    async def describe_api_versions(self, node_id: int, *, timeout_ms: int | None = None) -> dict[int, ServedVersions]:
        """The versions that a node serves, by the number of the API."""
        return await cluster_calls.describe_api_versions(self._call("describe_api_versions", timeout_ms), node_id)

    async def describe_features(self, node_id: int | None = None, *, timeout_ms: int | None = None) -> Features:
        return await cluster_calls.describe_features(self._call("describe_features", timeout_ms), node_id)

    async def update_features(
        self,
        levels: Mapping[str, int],
        *,
        change: FeatureChange = FeatureChange.UPGRADE,
        validate_only: bool = False,
        timeout_ms: int | None = None,
    ) -> None:
        call = self._call("update_features", timeout_ms)
        await cluster_calls.update_features(call, levels, change=change, validate_only=validate_only)

    async def describe_quorum(self, *, timeout_ms: int | None = None) -> QuorumDescription:
        return await cluster_calls.describe_quorum(self._call("describe_quorum", timeout_ms))

    async def unregister_broker(self, broker_id: int, *, timeout_ms: int | None = None) -> None:
        """Forgets a broker that was shut down for good."""
        await cluster_calls.unregister_broker(self._call("unregister_broker", timeout_ms), broker_id)

    # topics

    async def create_topics(
        self, topics: Sequence[NewTopic], *, validate_only: bool = False, timeout_ms: int | None = None
    ) -> None:
        await topic_calls.create_topics(self._call("create_topics", timeout_ms), topics, validate_only=validate_only)

    async def delete_topics(self, topics: Sequence[str], *, timeout_ms: int | None = None) -> None:
        await topic_calls.delete_topics(self._call("delete_topics", timeout_ms), topics)

    async def list_topics(self, *, include_internal: bool = False, timeout_ms: int | None = None) -> list[TopicListing]:
        return await topic_calls.list_topics(self._call("list_topics", timeout_ms), include_internal=include_internal)

    async def describe_topics(
        self, topics: Sequence[str], *, timeout_ms: int | None = None
    ) -> dict[str, TopicDescription]:
        return await topic_calls.describe_topics(self._call("describe_topics", timeout_ms), topics)

    async def eligible_leaders(
        self, topics: Sequence[str], *, timeout_ms: int | None = None
    ) -> dict[TopicPartition, EligibleLeaders | None]:
        """Replicas outside of the in-sync set that may lead without loss (KIP-966); None where it is not known."""
        return await topic_calls.eligible_leaders(self._call("eligible_leaders", timeout_ms), topics)

    async def create_partitions(
        self,
        counts: Mapping[str, int],
        *,
        assignments: Mapping[str, Sequence[Sequence[int]]] | None = None,
        validate_only: bool = False,
        timeout_ms: int | None = None,
    ) -> None:
        """`counts`: topic to the number of partitions that it shall have; `assignments`: replicas of the new ones."""
        call = self._call("create_partitions", timeout_ms)
        await topic_calls.create_partitions(call, counts, assignments or {}, validate_only=validate_only)

    async def delete_records(
        self, offsets: Mapping[TopicPartition, int], *, timeout_ms: int | None = None
    ) -> dict[TopicPartition, int]:
        """Deletes what lies before the offsets (-1: everything); the first offset that is left of each partition."""
        return await topic_calls.delete_records(self._call("delete_records", timeout_ms), offsets)

    async def list_offsets(
        self,
        wanted: Mapping[TopicPartition, OffsetSpec | int],
        *,
        read_committed: bool = False,
        timeout_ms: int | None = None,
    ) -> dict[TopicPartition, ListedOffset]:
        """The first or last offset, or that of the first record at or after a time in milliseconds."""
        call = self._call("list_offsets", timeout_ms)
        return await offset_calls.list_offsets(call, wanted, read_committed=read_committed)

    # configs

    async def describe_configs(
        self,
        resources: Sequence[ConfigResource],
        *,
        names: Sequence[str] | None = None,
        timeout_ms: int | None = None,
    ) -> dict[ConfigResource, dict[str, ConfigEntry]]:
        """All settings of each resource, or those in `names`."""
        return await config_calls.describe_configs(self._call("describe_configs", timeout_ms), resources, names)

    async def alter_configs(
        self,
        changes: Mapping[ConfigResource, Mapping[str, str | ConfigChange | None]],
        *,
        validate_only: bool = False,
        timeout_ms: int | None = None,
    ) -> None:
        """Sets values; None takes a setting back to its default; all others stay as they are."""
        call = self._call("alter_configs", timeout_ms)
        await config_calls.alter_configs(call, changes, validate_only=validate_only)

    async def list_config_resources(
        self, types: Sequence[ConfigResourceType] = (), *, timeout_ms: int | None = None
    ) -> list[ConfigResource]:
        return await config_calls.list_config_resources(self._call("list_config_resources", timeout_ms), types)

    # groups

    async def list_groups(
        self, *, states: Sequence[str] = (), types: Sequence[str] = (), timeout_ms: int | None = None
    ) -> list[GroupListing]:
        return await group_calls.list_groups(self._call("list_groups", timeout_ms), states=states, types=types)

    async def describe_groups(
        self, group_ids: Sequence[str], *, timeout_ms: int | None = None
    ) -> dict[str, GroupDescription]:
        return await group_calls.describe_groups(self._call("describe_groups", timeout_ms), group_ids)

    async def delete_groups(self, group_ids: Sequence[str], *, timeout_ms: int | None = None) -> None:
        await group_calls.delete_groups(self._call("delete_groups", timeout_ms), group_ids)

    async def list_group_offsets(
        self,
        group_id: str,
        partitions: Sequence[TopicPartition] | None = None,
        *,
        require_stable: bool = False,
        timeout_ms: int | None = None,
    ) -> dict[TopicPartition, OffsetAndMetadata]:
        """What the group has committed; partitions without a committed offset are left out."""
        call = self._call("list_group_offsets", timeout_ms)
        return await group_calls.list_group_offsets(call, group_id, partitions, require_stable=require_stable)

    async def alter_group_offsets(self, group_id: str, offsets: Offsets, *, timeout_ms: int | None = None) -> None:
        """Commits for a group that has no members."""
        await group_calls.alter_group_offsets(self._call("alter_group_offsets", timeout_ms), group_id, offsets)

    async def delete_group_offsets(
        self, group_id: str, partitions: Sequence[TopicPartition], *, timeout_ms: int | None = None
    ) -> None:
        await group_calls.delete_group_offsets(self._call("delete_group_offsets", timeout_ms), group_id, partitions)

    async def remove_members(
        self,
        group_id: str,
        *,
        member_ids: Sequence[str] = (),
        instance_ids: Sequence[str] = (),
        reason: str = "removed by an admin client",
        timeout_ms: int | None = None,
    ) -> None:
        call = self._call("remove_members", timeout_ms)
        await group_calls.remove_members(
            call, group_id, member_ids=member_ids, instance_ids=instance_ids, reason=reason
        )

    # transactions

    async def list_transactions(
        self,
        *,
        states: Sequence[str] = (),
        producer_ids: Sequence[int] = (),
        min_duration_ms: int = -1,
        pattern: str | None = None,
        timeout_ms: int | None = None,
    ) -> list[TransactionListing]:
        """`pattern`: a regular expression (RE2) for transactional ids."""
        return await transaction_calls.list_transactions(
            self._call("list_transactions", timeout_ms),
            states=states,
            producer_ids=producer_ids,
            min_duration_ms=min_duration_ms,
            pattern=pattern,
        )

    async def describe_transactions(
        self, transactional_ids: Sequence[str], *, timeout_ms: int | None = None
    ) -> dict[str, TransactionDescription]:
        call = self._call("describe_transactions", timeout_ms)
        return await transaction_calls.describe_transactions(call, transactional_ids)

    async def describe_producers(
        self, partitions: Sequence[TopicPartition], *, broker_id: int | None = None, timeout_ms: int | None = None
    ) -> dict[TopicPartition, list[ProducerState]]:
        """As the leaders know them, or a replica on `broker_id`."""
        call = self._call("describe_producers", timeout_ms)
        return await transaction_calls.describe_producers(call, partitions, broker_id)

    async def abort_transaction(
        self, partition: TopicPartition, producer: ProducerState, *, timeout_ms: int | None = None
    ) -> None:
        """Ends a transaction that hangs in a partition, because its coordinator has forgotten it."""
        await transaction_calls.abort_transaction(self._call("abort_transaction", timeout_ms), partition, producer)

    async def fence_producers(
        self, transactional_ids: Sequence[str], *, timeout_ms: int | None = None
    ) -> dict[str, TransactionHandle]:
        """Aborts what the producers with these ids have open; they can do nothing more."""
        return await transaction_calls.fence_producers(self._call("fence_producers", timeout_ms), transactional_ids)

    async def end_transaction(self, handle: TransactionHandle, *, commit: bool, timeout_ms: int | None = None) -> None:
        """Commits or aborts a transaction that `producer.detach()` has handed over. Asking twice does no harm."""
        await transaction_calls.end_transaction(self._call("end_transaction", timeout_ms), handle, commit=commit)

    # replicas

    async def alter_partition_reassignments(
        self, targets: Mapping[TopicPartition, Sequence[int] | None], *, timeout_ms: int | None = None
    ) -> None:
        """Moves partitions to these replicas; None stops a move that is in progress."""
        call = self._call("alter_partition_reassignments", timeout_ms)
        await replica_calls.alter_partition_reassignments(call, targets)

    async def list_partition_reassignments(
        self, partitions: Sequence[TopicPartition] | None = None, *, timeout_ms: int | None = None
    ) -> dict[TopicPartition, Reassignment]:
        call = self._call("list_partition_reassignments", timeout_ms)
        return await replica_calls.list_partition_reassignments(call, partitions)

    async def elect_leaders(
        self,
        partitions: Sequence[TopicPartition] | None = None,
        *,
        unclean: bool = False,
        reports_not_needed: bool = False,
        timeout_ms: int | None = None,
    ) -> dict[TopicPartition, RequestRefused | None]:
        """Elects the preferred replicas (or, `unclean`, any that is alive); None for each that has a leader now.

        `reports_not_needed`: ELECTION_NOT_NEEDED is an error too.
        """
        call = self._call("elect_leaders", timeout_ms)
        return await replica_calls.elect_leaders(
            call, partitions, unclean=unclean, reports_not_needed=reports_not_needed
        )

    async def describe_log_dirs(
        self, broker_ids: Sequence[int] | None = None, *, timeout_ms: int | None = None
    ) -> dict[int, list[LogDirectory]]:
        return await replica_calls.describe_log_dirs(self._call("describe_log_dirs", timeout_ms), broker_ids)

    async def alter_replica_log_dirs(
        self, broker_id: int, directories: Mapping[TopicPartition, str], *, timeout_ms: int | None = None
    ) -> None:
        """Moves replicas of a broker to other log directories of it."""
        call = self._call("alter_replica_log_dirs", timeout_ms)
        await replica_calls.alter_replica_log_dirs(call, broker_id, directories)

    # rights, users, quotas

    async def create_acls(self, acls: Sequence[Acl], *, timeout_ms: int | None = None) -> None:
        await acl_calls.create_acls(self._call("create_acls", timeout_ms), acls)

    async def describe_acls(self, wanted: AclFilter | None = None, *, timeout_ms: int | None = None) -> list[Acl]:
        return await acl_calls.describe_acls(self._call("describe_acls", timeout_ms), wanted or AclFilter())

    async def delete_acls(self, filters: Sequence[AclFilter], *, timeout_ms: int | None = None) -> list[Acl]:
        return await acl_calls.delete_acls(self._call("delete_acls", timeout_ms), filters)

    async def describe_user_scram_credentials(
        self, users: Sequence[str] | None = None, *, timeout_ms: int | None = None
    ) -> dict[str, list[ScramCredential]]:
        call = self._call("describe_user_scram_credentials", timeout_ms)
        return await user_calls.describe_user_scram_credentials(call, users)

    async def set_scram_credential(
        self,
        user: str,
        password: str,
        *,
        mechanism: str = "SCRAM-SHA-512",
        iterations: int = _SCRAM_ITERATIONS,
        timeout_ms: int | None = None,
    ) -> None:
        """The password of a user; only its salted hash is sent."""
        call = self._call("set_scram_credential", timeout_ms)
        await user_calls.set_scram_credential(
            call, user, password, mechanism=mechanism, iterations=iterations, salt=user_calls.new_salt(call)
        )

    async def delete_scram_credential(
        self, user: str, *, mechanism: str = "SCRAM-SHA-512", timeout_ms: int | None = None
    ) -> None:
        call = self._call("delete_scram_credential", timeout_ms)
        await user_calls.delete_scram_credential(call, user, mechanism=mechanism)

    async def describe_client_quotas(
        self, components: Mapping[str, str | None], *, strict: bool = False, timeout_ms: int | None = None
    ) -> dict[QuotaEntity, dict[str, float]]:
        """`components`: user, client-id or ip to a name; None means the default, "*" any name."""
        call = self._call("describe_client_quotas", timeout_ms)
        return await user_calls.describe_client_quotas(call, components, strict=strict)

    async def alter_client_quotas(
        self,
        changes: Mapping[QuotaEntity, Mapping[str, float | None]],
        *,
        validate_only: bool = False,
        timeout_ms: int | None = None,
    ) -> None:
        """Sets quotas such as `producer_byte_rate`; None removes one."""
        call = self._call("alter_client_quotas", timeout_ms)
        await user_calls.alter_client_quotas(call, changes, validate_only=validate_only)
