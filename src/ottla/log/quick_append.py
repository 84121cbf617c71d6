"""The short way for the most frequent batch: good, of a client without a producer id, on a topic without wishes.

It looks at what `append_checks` looks at, in one function and without objects, and takes a batch only where nothing is
to be decided. Everything else, also whatever is wrong, is left to the ordinary way, which finds the same again and says
why. So the rules have one home, and this one can only be too shy (a test compares the two).
"""

import struct
from typing import Final

from ottla.log.log_upkeep import LogUpkeep
from ottla.records.batch import ATTRIBUTES_POSITION, HEADER, HEADER_SIZE, LENGTH_OVERHEAD, MAGIC, NO_PRODUCER_ID
from ottla.records.crc import crc32c
from ottla.twins import compiled_twin

#: The answer where the ordinary way must be taken.
NOT_TAKEN: Final = -1
_LAST_CODEC: Final = 4
_PLACE: Final = struct.Struct(">qii")
_unpack_header = HEADER.unpack_from


class QuickAppending(LogUpkeep):
    """The third of four layers of PartitionLog."""

    def append_quickly(self, data: memoryview, position: int, size: int, leader_epoch: int, now_ms: int) -> int:
        """Appends the batch at `position` in place and gives its base offset, or NOT_TAKEN: then nothing was done.

        Raises OSError as the ordinary way does: then the log is as it was.
        """
        rules = self._rules
        if size < HEADER_SIZE or not rules.takes_plain_batches or self._failure is not None:
            return NOT_TAKEN
        offset, length, _, magic, crc, attributes, delta, first_time, last_time, producer_id, _, _, count = (
            _unpack_header(data, position)
        )
        if (
            magic != MAGIC
            or length + LENGTH_OVERHEAD != size
            or size > rules.max_batch_bytes
            or offset
            or producer_id != NO_PRODUCER_ID
            # Any bit but those of the codec asks for something.
            or not 0 <= attributes <= _LAST_CODEC
            or count != delta + 1
            or count < 1
            or last_time - now_ms > rules.timestamp_after_max_ms
            or now_ms - first_time > rules.timestamp_before_max_ms
            or leader_epoch != self.epochs.latest
            or crc32c(data[position + ATTRIBUTES_POSITION : position + size]) != crc
        ):
            return NOT_TAKEN
        base_offset = self.end_offset
        last_offset = base_offset + delta
        active = self.segments.active
        # The first batch of a segment starts the segment's clock: that is not done here.
        if not active.size or self._roll_rules.is_due(active, size, last_offset, last_time, now_ms):
            return NOT_TAKEN
        _PLACE.pack_into(data, position, base_offset, length, leader_epoch)
        try:
            active.append(data[position : position + size], size, base_offset, last_offset, last_time)
        except OSError as error:
            self._write_failed(error)
            raise
        self.end_offset = last_offset + 1
        return base_offset

    def _write_failed(self, error: OSError) -> None:
        if self.segments.active.is_broken:
            self._failure = error


_twin = compiled_twin("ottla.log._quick_append")
if _twin is not None:
    QuickAppending.append_quickly = _twin.append_quickly  # type: ignore[method-assign]
