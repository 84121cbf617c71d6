"""Classes of records by their type, imported when first asked for.

A type is unique within a family only: the metadata log, or the keys and values of one internal topic.
"""

from functools import cache
from importlib import import_module

from ottla.model.errors import RemoteProtocolError
from ottla.protocol.generated.catalog import RECORDS
from ottla.protocol.message import Message

GROUP = "records_group"
TRANSACTION = "records_transaction"
SHARE_STATE = "records_share_state"
STORAGE = "records_storage"


@cache
def storage_record_class(record_type: int) -> type[Message]:
    """Of the log of tiered storage. Raises RemoteProtocolError for a type that Kafka does not have."""
    return _class(STORAGE, record_type, "Record")


@cache
def key_class(family: str, record_type: int) -> type[Message]:
    """The class of a key in an internal topic; the type is the int16 at the start of the key."""
    return _class(family, record_type, "Key")


@cache
def value_class(family: str, record_type: int) -> type[Message]:
    return _class(family, record_type, "Value")


def _class(family: str, record_type: int, ending: str) -> type[Message]:
    for name, (record_family, its_type, module) in RECORDS.items():
        if record_family == family and its_type == record_type and name.endswith(ending):
            found: type[Message] = getattr(import_module(f"ottla.protocol.generated.{module}"), name)
            return found
    raise RemoteProtocolError(f"{family} has no record type {record_type}")
