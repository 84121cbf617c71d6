"""What can be wrong with bytes that claim to be records.

Both are `RemoteProtocolError`s, because the bytes came from a peer; whoever appends or reads turns them into
CORRUPT_MESSAGE or MESSAGE_TOO_LARGE instead of closing the connection.
"""

from ottla.model.errors import RemoteProtocolError


class CorruptRecord(RemoteProtocolError):
    """The bytes are no record batch, or the batch contradicts itself."""


class RecordsTooLarge(CorruptRecord):
    """The batch would unpack to more bytes than are allowed. Raised before that memory is taken."""
