"""A consumer's side of its group: membership, rebalances in the caller's polls, commits."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection

from ottla.client.cluster import Cluster
from ottla.client.consumer.commits import Committer
from ottla.client.consumer.committable import AutoCommit, uncommitted
from ottla.client.consumer.reading import Reading
from ottla.client.consumer.rebalance_listener import call_listener
from ottla.client.consumer.subscription import NOTHING, Subscription
from ottla.client.errors import ClientError, CommitFailed
from ottla.client.group.assignors import chosen_assignors
from ottla.client.group.classic_member import ClassicMember
from ottla.client.group.consumer_member import ConsumerMember
from ottla.client.group.member import AppCall, CallKind, MemberCore, MemberSettings
from ottla.client.group.membership import Membership
from ottla.client.metadata import ClusterImage
from ottla.client.offsets import ConsumerGroupMetadata, OffsetAndMetadata
from ottla.client.retrying import Deadline
from ottla.config.consumer_options import ConsumerOptions
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition, id_text

_log = logging.getLogger(__name__)

#: A commit that nobody has asked for may hold up a rebalance or a close only so long.
_AUTO_COMMIT_MS = 5_000


class GroupSide:
    """Owned by a consumer with a group.id, from `start` to `close`. `reading` is set before anything else is called."""

    def __init__(self, cluster: Cluster, options: ConsumerOptions, group_id: str, on_news: Callable[[], None]) -> None:
        self._cluster = cluster
        self._options = options
        self.group_id = group_id
        self.reading: Reading
        self.subscription: Subscription = NOTHING
        self._listener: object = None
        self._calling: asyncio.Task[None] | None = None
        self._callback_error: BaseException | None = None
        self._is_modern = options.group_protocol.upper() == "CONSUMER"
        self.membership = Membership(
            cluster,
            self._new_core(),
            group_id,
            max_poll_interval_ms=options.max_poll_interval_ms,
            on_news=self._interrupt(on_news),
            is_alive=lambda: self.reading.deliveries.has_progressed(),
        )
        self.committer = Committer(
            cluster,
            group_id,
            self._committing_member,
            on_commit=lambda offsets: self.reading.deliveries.committed(offsets),
            on_refused=self.membership.check_soon,
        )
        now_ms = cluster.clock.monotonic_ms()
        self._auto_commit = AutoCommit(options.auto_commit_interval_ms, now_ms) if options.enable_auto_commit else None
        cluster.on_image.append(self._image_changed)

    def _new_core(self) -> MemberCore:
        options = self._options
        settings = MemberSettings(
            group_id=self.group_id,
            instance_id=options.group_instance_id,
            rebalance_timeout_ms=options.max_poll_interval_ms,
            session_timeout_ms=options.session_timeout_ms,
            heartbeat_interval_ms=options.heartbeat_interval_ms,
            request_timeout_ms=options.request_timeout_ms,
            assignors=tuple(chosen_assignors(options.partition_assignment_strategy)),
            server_assignor=options.group_remote_assignor,
            rack=options.client_rack or None,
        )
        backoff = self._cluster.new_backoff()
        if self._is_modern:
            return ConsumerMember(settings, backoff, id_text(self._cluster.rng.uuid()))
        return ClassicMember(settings, backoff)

    def _interrupt(self, on_news: Callable[[], None]) -> Callable[[], None]:
        """An iteration ends early, so that the caller comes by."""

        def interrupt() -> None:
            self.reading.deliveries.recall()
            on_news()

        return interrupt

    # subscription

    def subscribe(self, subscription: Subscription, listener: object) -> None:
        self.subscription = subscription
        self._listener = listener
        self._cluster.want_all_topics(wants=self._matches_here)
        self._cluster.want(subscription.names)
        self._pass_subscription()

    @property
    def _matches_here(self) -> bool:
        """Whether this client finds the topics of a pattern, and not the broker."""
        return self.subscription.is_by_pattern and not (self._is_modern and self.subscription.text is not None)

    def _pass_subscription(self) -> None:
        subscription = self.subscription
        if not subscription.uses_group:
            return
        if self._matches_here or not subscription.is_by_pattern:
            exclude = self._options.exclude_internal_topics
            self.membership.subscribe(subscription.topics(self._cluster.image, exclude_internal=exclude))
        else:
            self.membership.subscribe(subscription.names, subscription.text)

    def _image_changed(self, image: ClusterImage) -> None:
        if self._matches_here:
            self._pass_subscription()
        self.membership.image_changed(image)

    # rebalances

    @property
    def has_news(self) -> bool:
        return self._calling is not None or self.membership.has_news

    async def serve(self) -> None:
        """Does what the group wants of the application. Raises what a listener raised."""
        while True:
            if self._calling is None:
                call = self.membership.begin_call()
                if call is None:
                    break
                self._calling = asyncio.get_running_loop().create_task(
                    self._carry_out(call), name=f"rebalance of group {self.group_id}"
                )
            # A caller that is cancelled meanwhile does not stop it: the next poll waits for it.
            await asyncio.shield(self._calling)
        error, self._callback_error = self._callback_error, None
        if error is not None:
            raise error

    async def _carry_out(self, call: AppCall) -> None:
        _log.info("group %s: %s %s", self.group_id, call.kind.value, ", ".join(map(str, sorted(call.partitions))))
        try:
            if call.kind is CallKind.ASSIGNED:
                self.reading.add(call.partitions)
                await self._call_listener(call)
            else:
                self.reading.begin_revoking(call.partitions)
                if call.kind is CallKind.REVOKED:
                    await self._commit_quietly()
                await self._call_listener(call)
                self.reading.remove(call.partitions)
                self.committer.forget(call.partitions)
        finally:
            self._calling = None
            self.membership.call_done()

    async def _call_listener(self, call: AppCall) -> None:
        try:
            await call_listener(self._listener, call.kind.value, call.partitions)
        except Exception as error:  # noqa: BLE001  code of the user's: raised where it is asked for, after the rebalance
            self._callback_error = error

    # commits

    def _committing_member(self, partitions: Collection[TopicPartition]) -> ConsumerGroupMetadata:
        if not self.subscription.uses_group:
            return ConsumerGroupMetadata(self.group_id)
        if not self.membership.may_commit:
            message = "the group is rebalancing; poll, then commit what is still assigned"
            error = CommitFailed(ErrorCode.REBALANCE_IN_PROGRESS, message)
            # What a cooperative member keeps during a rebalance can be committed after it.
            error.retriable = self.membership.keeps(partitions)
            raise error
        return self.membership.metadata

    @property
    def metadata(self) -> ConsumerGroupMetadata:
        return self.membership.metadata if self.subscription.uses_group else ConsumerGroupMetadata(self.group_id)

    def uncommitted(self) -> dict[TopicPartition, OffsetAndMetadata]:
        return uncommitted(self.reading.positions(), self.committer.committed)

    @property
    def auto_commit_due_ms(self) -> int | None:
        return self._auto_commit.due_ms if self._auto_commit is not None else None

    def auto_commit_if_due(self, now_ms: int) -> None:
        """For the start of a poll: all that was returned before has been processed."""
        if self._auto_commit is None or not self._auto_commit.is_due(now_ms):
            return
        self._auto_commit.restart(now_ms)
        offsets = self.uncommitted()
        if offsets and (not self.subscription.uses_group or self.membership.may_commit):
            self.committer.send(offsets, _AUTO_COMMIT_MS).add_done_callback(self._note_auto_commit)

    def _note_auto_commit(self, done: "asyncio.Future[None]") -> None:
        error = done.exception()
        if error is not None:
            _log.warning("group %s: auto-commit: %s", self.group_id, error)

    async def _commit_quietly(self, timeout_ms: int = _AUTO_COMMIT_MS) -> None:
        """Before partitions are given up. Waits for commits that are in flight, too."""
        if self._auto_commit is None:
            return
        try:
            await self.committer.commit(self.uncommitted(), min(_AUTO_COMMIT_MS, timeout_ms))
        except ClientError as error:
            _log.warning("group %s: auto-commit before partitions are given up: %s", self.group_id, error)

    # the end

    async def leave(self, deadline: Deadline) -> None:
        """Commits, tells the listener, leaves the group; the consumer has nothing assigned then."""
        calling = self._calling
        if calling is not None and calling is not asyncio.current_task():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(deadline.left_ms / 1000):
                    await asyncio.shield(calling)
        owned = self.reading.assignment.partitions
        self.reading.begin_revoking(owned)
        await self._commit_quietly(deadline.left_ms)
        if owned and self.subscription.uses_group:
            kind = CallKind.REVOKED if self.membership.may_commit else CallKind.LOST
            try:
                async with asyncio.timeout(deadline.left_ms / 1000):
                    await self._call_listener(AppCall(kind, frozenset(owned)))
            except TimeoutError:
                _log.warning("group %s: the listener was not done in time", self.group_id)
        if self.subscription.uses_group:
            await self.membership.leave(deadline)
        self.subscription = NOTHING
        self.reading.assign([])
        self.committer.forget(owned)
        error, self._callback_error = self._callback_error, None
        if error is not None:
            raise error

    async def close(self) -> None:
        self._cluster.on_image.remove(self._image_changed)
        await self.committer.close()
