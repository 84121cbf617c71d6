"""The log directories of a node together: taking them, agreeing on who they belong to, picking one."""

import errno
from collections.abc import Iterable, Iterator, Sequence

from ottla.doors.disk import Disk
from ottla.doors.rng import Rng
from ottla.log.files.disk_errors import NoRoom
from ottla.log.store.clean_shutdown import NO_BROKER_EPOCH, LastEnd
from ottla.log.store.meta_properties import MetaProperties, mismatch
from ottla.log.store.reserve import RESERVE_BYTES
from ottla.log.store.store_directory import StoreDirectory
from ottla.model.errors import InUse, InvalidConfig, check
from ottla.model.topic import id_text


class DirectorySet:
    """Owned by the LogStore. The directory of the metadata log may be one that holds no partitions."""

    def __init__(
        self, disk: Disk, paths: Sequence[str], metadata_path: str | None, reserve_bytes: int = RESERVE_BYTES
    ) -> None:
        self.for_partitions = [StoreDirectory(disk, path, reserve_bytes) for path in dict.fromkeys(paths)]
        check(self.for_partitions, "a node needs a log directory")
        self.for_metadata = self.for_partitions[0]
        if metadata_path is not None:
            self.for_metadata = self.find(metadata_path) or StoreDirectory(disk, metadata_path, reserve_bytes)

    def all(self) -> list[StoreDirectory]:
        if self.for_metadata in self.for_partitions:
            return self.for_partitions
        return [*self.for_partitions, self.for_metadata]

    def online(self) -> Iterator[StoreDirectory]:
        """Those that hold partitions and work."""
        return (directory for directory in self.for_partitions if directory.is_online)

    def find(self, path: str) -> StoreDirectory | None:
        path = path.rstrip("/") or "/"
        return next((directory for directory in self.for_partitions if directory.path == path), None)

    def containing(self, path: str) -> StoreDirectory | None:
        """The directory that is at this path, or has it below."""
        return next((d for d in self.all() if path == d.path or path.startswith(d.path + "/")), None)

    def take(self, cluster_id: str | None, node_id: int, rng: Rng) -> str:
        """Takes all directories and returns the id of the cluster: the given one, the one found, or a new one.

        Raises InUse when another process has a directory, InvalidConfig when one belongs to another node, OSError when
        none works. NoRoom: nothing is taken, and it may be retried.
        """
        try:
            found = {directory.path: directory.take() for directory in self.all()}
            self._check_some_work()
            self._check_room()
            if cluster_id is None:
                known = [properties.cluster_id for properties in found.values() if properties is not None]
                cluster_id = next((known_id for known_id in known if known_id), None) or id_text(rng.uuid())
            problems = self._lost_identities(found) + _identity_problems(found, cluster_id, node_id)
            if problems:
                raise InvalidConfig(problems)
        except (InUse, InvalidConfig, OSError):
            self.unlock()
            raise
        for directory in self.all():
            if directory.is_online:
                directory.begin(found[directory.path], cluster_id, node_id, rng)
        self._check_some_work()
        return cluster_id

    def _lost_identities(self, found: dict[str, MetaProperties | None]) -> list[str]:
        """Data of an unknown owner are not taken over."""
        return [
            f"log.dirs={directory.path}: holds partitions but no meta.properties; put the file back, or use another"
            " directory"
            for directory in self.for_partitions
            if directory.is_online and found[directory.path] is None and directory.partition_directories()
        ]

    def pick(self, directory_id: bytes | None, homes: Iterable[StoreDirectory]) -> StoreDirectory:
        """The assigned directory if it works, else the one that is home to the fewest. Raises OSError."""
        online = list(self.online())
        self._check_some_work()
        for directory in online:
            if directory_id is not None and directory.directory_id == directory_id:
                return directory
        if len(online) == 1:
            return online[0]
        counts = {directory.path: 0 for directory in online}
        for home in homes:
            if home.path in counts:
                counts[home.path] += 1
        return min(online, key=lambda directory: counts[directory.path])

    # how the last run ended

    @property
    def last_end(self) -> LastEnd:
        """In the worst of the directories."""
        return max((directory.last_run.end for directory in self.online()), default=LastEnd.POWER_LOSS)

    @property
    def previous_broker_epoch(self) -> int:
        """Under which epoch this node ran before; -1 when its logs may have lost something since."""
        epochs = [directory.last_run.broker_epoch for directory in self.online()]
        return min(epochs, default=NO_BROKER_EPOCH) if self.last_end is not LastEnd.POWER_LOSS else NO_BROKER_EPOCH

    @property
    def last_alive_ms(self) -> int | None:
        """When the last run was alive, by a clock that it trusted; None where there was none."""
        found = [directory.last_alive for directory in self.online() if directory.last_alive is not None]
        held_ms = [alive.time_ms for alive in found if alive.is_held]
        return min(held_ms) if held_ms else max((alive.time_ms for alive in found), default=None)

    def record_run(self, broker_epoch: int, held_clock_ms: int | None) -> list[tuple[str, OSError]]:
        """For the next start. Directories that failed meanwhile."""
        failures = []
        for directory in list(self.online()):
            try:
                directory.record_run(broker_epoch, held_clock_ms)
            except OSError as error:
                failures.append((directory.path, error))
        return failures

    # room

    def has_room(self) -> bool:
        """Enough in all working directories to open or create partitions again that found none."""
        return all(directory.missing_bytes() == 0 for directory in self.online())

    def release_reserves(self) -> bool:
        """Gives the space held back to whoever needs it; True when there was some."""
        released = [directory.reserve.release() for directory in self.online()]
        return any(released)

    def restore_reserves(self, *, spare_bytes: int = 0) -> bool:
        """True when every directory holds its reserve. Writes it where it is missing: not for the event loop."""
        restored = [directory.reserve.restore(spare_bytes=spare_bytes) for directory in self.online()]
        return all(restored)

    # end

    def unlock(self) -> None:
        for directory in self.all():
            directory.unlock()

    def _check_room(self) -> None:
        for directory in self.all():
            missing_bytes = directory.missing_bytes() if directory.is_online else 0
            if missing_bytes:
                raise NoRoom(errno.ENOSPC, f"no room to start: {missing_bytes} more bytes must be free", directory.path)

    def _check_some_work(self) -> None:
        if not any(True for _ in self.online()):
            reasons = "; ".join(f"{directory.path}: {directory.failure}" for directory in self.for_partitions)
            raise OSError(errno.EIO, f"no log directory works: {reasons}")


def _identity_problems(found: dict[str, MetaProperties | None], cluster_id: str, node_id: int) -> list[str]:
    problems = []
    ids: dict[bytes, str] = {}
    for path, properties in found.items():
        if properties is None:
            continue
        problem = mismatch(path, properties, cluster_id=cluster_id, node_id=node_id)
        if problem is not None:
            problems.append(problem)
        if properties.directory_id is not None:
            twin = ids.setdefault(properties.directory_id, path)
            if twin != path:
                problems.append(f"log.dirs={path}: has the same directory.id as {twin}; one is a copy of the other")
    return problems
