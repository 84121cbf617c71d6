"""Which leader wrote which offsets (KIP-101): `leader-epoch-checkpoint`, lines of epoch and start offset.

The file is rewritten in flush jobs, at truncation and at close. What a crash loses is found again in the batches, which
carry their epochs; an epoch under which nothing was written is lost, and nothing depends on it.
"""

from bisect import bisect_left, bisect_right
from typing import Final

UNDEFINED_EPOCH: Final = -1
UNDEFINED_OFFSET: Final = -1
_VERSION: Final = "0"


class LeaderEpochs:
    """Rising epochs with rising start offsets. `latest` is the newest, or -1."""

    __slots__ = ("epochs", "is_dirty", "latest", "starts")

    def __init__(self) -> None:
        self.epochs: list[int] = []
        self.starts: list[int] = []
        self.latest = UNDEFINED_EPOCH
        #: Not all of it is in the file.
        self.is_dirty = False

    def assign(self, epoch: int, start_offset: int) -> None:
        """From `start_offset` on records are written by the leader of `epoch`. Contradicting later entries go."""
        if epoch < 0:
            return
        if self.epochs and self.latest == epoch and self.starts[-1] <= start_offset:
            return
        while self.epochs and (self.epochs[-1] >= epoch or self.starts[-1] >= start_offset):
            self.epochs.pop()
            self.starts.pop()
        self.epochs.append(epoch)
        self.starts.append(start_offset)
        self._changed()

    def end_offset_for(self, epoch: int, log_end_offset: int) -> tuple[int, int]:
        """The largest known epoch not above `epoch`, and where it ends. (-1, -1) when unknown."""
        if epoch == UNDEFINED_EPOCH or not self.epochs or epoch > self.latest:
            return UNDEFINED_EPOCH, UNDEFINED_OFFSET
        if epoch == self.latest:
            return epoch, log_end_offset
        above = bisect_right(self.epochs, epoch)
        if above == 0:
            # Older than everything that is still in the log: its records end where the log begins to be known.
            return epoch, self.starts[0]
        return self.epochs[above - 1], self.starts[above]

    def epoch_at(self, offset: int) -> int:
        entry = bisect_right(self.starts, offset)
        return self.epochs[entry - 1] if entry else UNDEFINED_EPOCH

    def truncate_from_end(self, end_offset: int) -> None:
        """The log now ends at `end_offset`."""
        keep = bisect_left(self.starts, end_offset)
        if keep < len(self.starts):
            del self.epochs[keep:]
            del self.starts[keep:]
            self._changed()

    def truncate_from_start(self, start_offset: int) -> None:
        """The log now starts at `start_offset`; the epoch that covers it starts there too."""
        covering = bisect_right(self.starts, start_offset) - 1
        if covering < 0 or (covering == 0 and self.starts[0] == start_offset):
            return
        del self.epochs[:covering]
        del self.starts[:covering]
        self.starts[0] = start_offset
        self._changed()

    def clear(self) -> None:
        if self.epochs:
            self.epochs.clear()
            self.starts.clear()
            self._changed()

    def _changed(self) -> None:
        self.latest = self.epochs[-1] if self.epochs else UNDEFINED_EPOCH
        self.is_dirty = True

    def items(self) -> list[tuple[int, int]]:
        return list(zip(self.epochs, self.starts, strict=True))

    def encoded(self) -> bytes:
        lines = [_VERSION, str(len(self.epochs)), *(f"{epoch} {start}" for epoch, start in self.items())]
        return ("\n".join(lines) + "\n").encode()


def decode_leader_epochs(data: bytes) -> LeaderEpochs:
    """Raises ValueError when the text is no such checkpoint, or its entries do not rise."""
    lines = data.decode("ascii").splitlines()
    if len(lines) < 2 or lines[0].strip() != _VERSION:
        raise ValueError("not a leader epoch checkpoint of version 0")
    entries = [tuple(map(int, line.split())) for line in lines[2:] if line.strip()]
    if len(entries) != int(lines[1]) or any(len(entry) != 2 for entry in entries):
        raise ValueError("the number of entries is wrong")
    found = LeaderEpochs()
    for epoch, start in entries:
        if epoch <= found.latest or start < 0 or (found.starts and start <= found.starts[-1]):
            raise ValueError("the entries do not rise")
        found.assign(epoch, start)
    found.is_dirty = False
    return found
