"""The producer snapshots in a partition's directory.

One is written at each roll and at a clean close, as Kafka does, and now and then at a flush, so that recovery after a
crash does not have to read the whole active segment. Kept are those at the base offsets of segments and the newest two.
"""

from ottla.log.file_names import SNAPSHOT, offset_of
from ottla.log.producer_snapshot import decode_snapshot, encode_snapshot
from ottla.log.producer_state import ProducerStates
from ottla.log.segment import LogDirectory, read_whole


class Snapshots:
    """Owned by one log. `offsets` are those of the files, rising."""

    __slots__ = ("_directory", "offsets")

    def __init__(self, directory: LogDirectory, names: list[str]) -> None:
        self._directory = directory
        self.offsets = sorted(offset for name in names if (offset := offset_of(name, SNAPSHOT)) is not None)

    @property
    def newest(self) -> int:
        return self.offsets[-1] if self.offsets else -1

    def write(self, offset: int, producers: ProducerStates) -> None:
        """Not synced: a snapshot that a power loss damages is seen by its checksum and not needed.

        That is so as long as the log has what it describes: see `sync`.
        """
        if offset == self.newest:
            return
        data = encode_snapshot(producers.entries.values())
        file = self._directory.disk.open(self._directory.file_path(offset, SNAPSHOT), create=True)
        file.write_at(0, data)
        if file.size() != len(data):
            file.truncate(len(data))
        file.close()
        self.offsets.append(offset)
        self.offsets.sort()

    def sync(self, offset: int) -> None:
        """Creates one durable: the log below it is about to be removed. For a thread; raises OSError."""
        file = self._directory.disk.open(self._directory.file_path(offset, SNAPSHOT))
        try:
            file.sync()
        finally:
            file.close()
        self._directory.disk.sync_directory(self._directory.path)

    def load_newest(self, producers: ProducerStates, limit: int) -> int:
        """Loads the newest good one not above `limit` and returns its offset; -1 when there is none.

        Those above are from a future that this log does not have: they are removed, as are damaged ones.
        """
        self.remove_above(limit)
        while self.offsets:
            data = read_whole(self._directory.disk, self._directory.file_path(self.newest, SNAPSHOT))
            try:
                producers.load(decode_snapshot(data))
            except ValueError:
                self._remove(self.newest)
                continue
            return self.newest
        producers.load([])
        return -1

    def remove_above(self, offset: int) -> bool:
        """True when there were some."""
        above = [found for found in self.offsets if found > offset]
        for found in above:
            self._remove(found)
        return bool(above)

    def keep_only(self, base_offsets: list[int]) -> None:
        """Keeps those of segments and the newest two: the last one may be ahead of what is on the device."""
        kept = dict.fromkeys([*base_offsets, *self.offsets[-2:]])
        for found in [offset for offset in self.offsets if offset not in kept]:
            self._remove(found)

    def remove_all(self) -> None:
        self.remove_above(-1)

    def _remove(self, offset: int) -> None:
        self._directory.disk.remove(self._directory.file_path(offset, SNAPSHOT))
        self.offsets.remove(offset)
