"""Replicas on their way from one log directory of this node to another (AlterReplicaLogDirs).

A copy grows in `<topic>-<p>.<hex>-future` of the target. When it has everything, a note is left in it; then the
original is renamed to `-delete` and the copy takes its name. After a crash a copy with the note is finished, one
without is begun again: the original is still whole. The note holds the log start offset, and stays until the checkpoint
files of the target contain it.
"""

import contextlib
import logging
import posixpath
from collections.abc import Callable
from hashlib import blake2b
from typing import Final, TypeAlias

from ottla.config.topic_options import TopicOptions
from ottla.doors.disk import Disk
from ottla.log.files import partition_metadata
from ottla.log.files.small_files import read_whole, write_atomically
from ottla.log.partition.flush import FlushJob
from ottla.log.partition_log import PartitionLog
from ottla.log.store.checkpoints import SavedOffsets
from ottla.log.store.partition_directory import DirectoryKind, PartitionDirectory, directory_name
from ottla.log.store.store_directory import FoundDirectory, StoreDirectory
from ottla.log.store.store_reports import LogReport
from ottla.model.errors import check
from ottla.model.topic import TopicPartition
from ottla.records.batch import HEADER_SIZE, read_header

_log = logging.getLogger(__name__)

COMPLETE_NOTE: Final = ".ottla_complete"
_STEP_BYTES: Final = 1024 * 1024

OpenLog: TypeAlias = Callable[[StoreDirectory, str, TopicPartition, TopicOptions, bytes | None], PartitionLog]


class LogMove:
    """One copy. `source` is the log that serves until the copy takes over."""

    def __init__(self, source: PartitionLog, target: StoreDirectory, copy: PartitionLog) -> None:
        self.source = source
        self.target = target
        self.copy = copy
        #: Names of files that the copy had to drop again.
        self.dropped: list[str] = []

    @property
    def offset_lag(self) -> int:
        return max(0, self.source.end_offset - self.copy.end_offset)

    def begin(self) -> None:
        """Empties the copy and lets it start with the batch in which the original starts."""
        source = self.source
        start_offset = source.log_start_offset
        if start_offset < source.end_offset:
            start_offset = min(start_offset, read_header(source.read_bytes(start_offset, HEADER_SIZE)).base_offset)
        if self.copy.end_offset != start_offset or self.copy.log_start_offset != start_offset:
            self._dropped(self.copy.truncate_fully_at(start_offset))

    def step(self, max_bytes: int, now_ms: int) -> bool:
        """Copies at most `max_bytes` (at least one batch); True when nothing is missing."""
        source, copy = self.source, self.copy
        self._follow_truncation()
        if copy.end_offset < source.log_start_offset:
            self.begin()
        if copy.end_offset < source.end_offset:
            offset = max(copy.end_offset, source.log_start_offset)
            data = source.read_bytes(offset, max_bytes, end_offset=source.end_offset)
            check(data, f"nothing to copy at {copy.end_offset} of {source.topic_partition}")
            copy.append_as_follower(data, now_ms=now_ms)
        copy.advance_high_watermark(min(source.high_watermark, copy.end_offset))
        if copy.log_start_offset < source.log_start_offset <= copy.high_watermark:
            copy.advance_log_start_offset(source.log_start_offset)
        return copy.end_offset >= source.end_offset

    def _follow_truncation(self) -> None:
        """The original may have been cut, and have grown again: compare by leader epoch, as replicas do (KIP-101)."""
        source, copy = self.source, self.copy
        epoch = copy.epochs.latest
        if epoch >= 0:
            found_epoch, end_offset = source.end_offset_for_epoch(epoch)
            if found_epoch < epoch:
                end_offset = min(end_offset, copy.end_offset_for_epoch(found_epoch)[1])
            if 0 <= end_offset < copy.end_offset:
                self._dropped(copy.truncate_to(max(end_offset, copy.log_start_offset)))
        if copy.end_offset > source.end_offset:
            self._dropped(copy.truncate_to(source.end_offset))

    def _dropped(self, paths: list[str]) -> None:
        self.dropped += map(posixpath.basename, paths)


class LogMoves:
    """Owned by the LogStore."""

    def __init__(self, disk: Disk, open_log: OpenLog, now_ms: Callable[[], int]) -> None:
        self._disk = disk
        self._open_log = open_log
        self._now_ms = now_ms
        self._moves: dict[TopicPartition, LogMove] = {}
        self._found: list[FoundDirectory] = []
        #: Notes of finished moves, until the checkpoint files contain the same; by path, and where they are.
        self._notes: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._moves)

    def __contains__(self, topic_partition: TopicPartition) -> bool:
        return topic_partition in self._moves

    def partitions(self) -> list[TopicPartition]:
        return list(self._moves)

    def start(self, source: PartitionLog, target: StoreDirectory, tag: bytes) -> None:
        name = directory_name(source.topic_partition, DirectoryKind.FUTURE, tag)
        path = f"{target.path}/{name}"
        copy = self._open_log(target, path, source.topic_partition, source.options, source.topic_id)
        move = LogMove(source, target, copy)
        # Known first: a beginning that fails leaves a copy that has to be cancelled.
        self._moves[source.topic_partition] = move
        move.begin()

    def step(self, topic_partition: TopicPartition, max_bytes: int) -> bool:
        return self._moves[topic_partition].step(max_bytes, self._now_ms())

    def flush_job(self, topic_partition: TopicPartition) -> tuple[PartitionLog, FlushJob] | None:
        """The copy and what has to be synced of it; None when nothing has, or the move is over."""
        move = self._moves.get(topic_partition)
        job = None if move is None else move.copy.flush_job()
        return None if move is None or job is None else (move.copy, job)

    def finish(self, topic_partition: TopicPartition, tag: bytes) -> tuple[PartitionLog, StoreDirectory, list[str]]:
        """The new log, its directory, and paths of files that it does not need."""
        move = self._moves[topic_partition]
        while not move.step(_STEP_BYTES, self._now_ms()):
            pass
        source, copy = move.source, move.copy
        job = copy.flush_job()
        if job is not None:
            job.run()
            copy.flush_done(job)
        home = posixpath.dirname(source.directory)
        aside = f"{home}/{directory_name(topic_partition, DirectoryKind.DELETE, tag)}"
        live = f"{move.target.path}/{directory_name(topic_partition)}"
        self._take_name(move, aside, live)
        self._over(move, aside)
        copy.moved_to(live)
        self._disk.sync_directory(home)
        self._disk.sync_directory(move.target.path)
        self._notes[posixpath.join(live, COMPLETE_NOTE)] = move.target.path
        return copy, move.target, [f"{live}/{name}" for name in move.dropped]

    def _take_name(self, move: LogMove, aside: str, live: str) -> None:
        """Raises OSError; then the original has its name and goes on, or the copy is found by its note."""
        disk, source, copy = self._disk, move.source, move.copy
        note = posixpath.join(copy.directory, COMPLETE_NOTE)
        try:
            write_atomically(disk, note, f"{copy.log_start_offset} {copy.high_watermark}\n".encode())
            # The copy must be found after a power loss before the original may be missed.
            disk.sync_directory(move.target.path)
            disk.rename(source.directory, aside)
        except OSError:
            self._take_note_back(note)
            raise
        try:
            disk.rename(copy.directory, live)
        except OSError:
            self._give_name_back(move, aside)
            self._take_note_back(note)
            raise

    def _give_name_back(self, move: LogMove, aside: str) -> None:
        try:
            self._disk.rename(aside, move.source.directory)
            # What is appended from here on must not be lost with the name.
            self._disk.sync_directory(posixpath.dirname(aside))
        except OSError:
            self._over(move, aside)
            raise

    def _over(self, move: LogMove, aside: str) -> None:
        """The copy is the replica from here on, whatever fails."""
        del self._moves[move.source.topic_partition]
        move.source.moved_to(aside)
        move.source.release("the replica was moved to another directory")

    def _take_note_back(self, note: str) -> None:
        """Or the next start would put the copy in the place of an original that has gone on."""
        with contextlib.suppress(OSError):
            self._disk.remove(note)
            self._disk.sync_directory(posixpath.dirname(note))

    def newer_than(self, saved: SavedOffsets, path: str) -> SavedOffsets:
        """What is known of a replica that may have been moved here since the checkpoint files were written."""
        note = posixpath.join(path, COMPLETE_NOTE)
        if not self._disk.exists(note):
            return saved
        self._notes[note] = posixpath.dirname(path)
        fields = read_whole(self._disk, note).split()
        if len(fields) != 2 or not all(field.isdigit() for field in fields):
            return saved
        log_start_offset, high_watermark = map(int, fields)
        return saved._replace(
            log_start_offset=max(saved.log_start_offset, log_start_offset),
            high_watermark=max(saved.high_watermark, high_watermark),
        )

    def notes_in(self, directory: StoreDirectory) -> list[str]:
        return [path for path, parent in self._notes.items() if parent == directory.path]

    def remove_note(self, path: str) -> None:
        """The checkpoint files have been written since. A note that comes back after a power loss is harmless."""
        self._notes.pop(path, None)
        with contextlib.suppress(OSError):
            self._disk.remove(path)

    def cancel(self, topic_partition: TopicPartition) -> str | None:
        """The directory of the copy, for removal; None when there was none."""
        move = self._moves.pop(topic_partition, None)
        if move is None:
            return None
        move.copy.release("the move was cancelled")
        return move.copy.directory

    def forget(self, failed: StoreDirectory) -> None:
        """Moves to or from a directory that failed are over."""
        for topic_partition, move in list(self._moves.items()):
            if move.target is failed or move.source.directory.startswith(failed.path + "/"):
                move.copy.release(f"log directory {failed.path} failed")
                del self._moves[topic_partition]

    def reports(self, directory: StoreDirectory) -> list[LogReport]:
        return [
            LogReport(topic_partition, move.copy.size_bytes, is_future=True, offset_lag=move.offset_lag)
            for topic_partition, move in self._moves.items()
            if move.target is directory
        ]

    def close(self) -> None:
        """What is not finished is begun again at the next start."""
        for move in self._moves.values():
            move.copy.close(clean=False)
        self._moves.clear()

    # start

    def settle(self, found: list[FoundDirectory]) -> list[FoundDirectory]:
        """Finishes copies that have the note; returns what there is then, unfinished copies left out."""
        lives: dict[TopicPartition, FoundDirectory] = {}
        settled = []
        for place in sorted(found, key=lambda place: place.partition.kind is DirectoryKind.FUTURE):
            topic_partition, kind = place.partition
            if kind is DirectoryKind.FUTURE and not self._is_complete(place):
                self._found.append(place)
            elif kind not in (DirectoryKind.LIVE, DirectoryKind.FUTURE):
                settled.append(place)
            elif topic_partition in lives and not self._are_one_topic(place, lives[topic_partition]):
                # The name was used again while one of the directories was missing: the store asks the metadata.
                settled.append(self._live(place))
            elif topic_partition in lives and self._is_complete(place):
                settled.append(self._renamed(lives[topic_partition], DirectoryKind.DELETE, place.path))
                lives[topic_partition] = place
            elif topic_partition in lives and self._is_complete(lives[topic_partition]):
                settled.append(self._renamed(place, DirectoryKind.DELETE, place.path))
            elif topic_partition in lives:
                # Two originals, and it is unknown which one is right: the store refuses both.
                settled.append(place)
            else:
                lives[topic_partition] = place
        return [*settled, *map(self._live, lives.values())]

    def _live(self, place: FoundDirectory) -> FoundDirectory:
        is_copy = place.partition.kind is DirectoryKind.FUTURE
        return self._renamed(place, DirectoryKind.LIVE, place.path) if is_copy else place

    def _are_one_topic(self, one: FoundDirectory, other: FoundDirectory) -> bool:
        ids = [partition_metadata.read(self._disk, place.path) for place in (one, other)]
        return None in ids or ids[0] == ids[1]

    def _is_complete(self, place: FoundDirectory) -> bool:
        return self._disk.exists(posixpath.join(place.path, COMPLETE_NOTE))

    def _renamed(self, place: FoundDirectory, kind: DirectoryKind, tagged_path: str) -> FoundDirectory:
        topic_partition = place.partition.topic_partition
        path = f"{place.directory.path}/{directory_name(topic_partition, kind, _tag_of(tagged_path))}"
        try:
            self._disk.rename(place.path, path)
            self._disk.sync_directory(place.directory.path)
        except OSError as error:
            place.directory.fail(error)
        return FoundDirectory(place.directory, path, PartitionDirectory(topic_partition, kind))

    def resume(self, logs: dict[TopicPartition, PartitionLog], homes: dict[TopicPartition, StoreDirectory]) -> None:
        """Begins unfinished copies again, in a fresh directory of the same target."""
        for place in self._found:
            target, topic_partition = place.directory, place.partition.topic_partition
            with contextlib.suppress(OSError):
                self._disk.remove_tree(place.path)
                source = logs.get(topic_partition)
                if source is None or homes[topic_partition] is target or topic_partition in self._moves:
                    continue
                if topic_partition in target.former:
                    _log.warning("%s is kept: the checkpoints of %s cannot be written", topic_partition, target.path)
                    continue
                self.start(source, target, _tag_of(place.path))
        self._found.clear()


def _tag_of(path: str) -> bytes:
    """The random part of a directory's name; of one that has none, something else that nobody else has."""
    name = posixpath.basename(path)
    tag = name.rpartition(".")[2][:32]
    try:
        return bytes.fromhex(tag) if len(tag) == 32 else blake2b(path.encode(), digest_size=16).digest()
    except ValueError:
        return blake2b(path.encode(), digest_size=16).digest()
