"""Topics and partitions: names, ids, rules."""

import base64
import binascii
import re
from typing import NamedTuple

NO_TOPIC_ID = bytes(16)
MAX_NAME_LENGTH = 249
_LEGAL_NAME = re.compile(r"[a-zA-Z0-9._-]+\Z")

CONSUMER_OFFSETS = "__consumer_offsets"
TRANSACTION_STATE = "__transaction_state"
SHARE_GROUP_STATE = "__share_group_state"
CLUSTER_METADATA = "__cluster_metadata"
INTERNAL_TOPICS = frozenset({CONSUMER_OFFSETS, TRANSACTION_STATE, SHARE_GROUP_STATE})


class TopicPartition(NamedTuple):
    """One partition of a topic.

    >>> str(TopicPartition("orders", 0))
    'orders-0'
    """

    topic: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


def name_problem(name: str) -> str | None:
    """Why `name` cannot be a topic name, or None when it can."""
    if not name:
        return "the empty string is not allowed"
    if name in (".", ".."):
        return "'.' or '..' is not allowed"
    if len(name) > MAX_NAME_LENGTH:
        return f"the length of '{name}' is longer than the max allowed length {MAX_NAME_LENGTH}"
    if not _LEGAL_NAME.match(name):
        return f"'{name}' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'"
    return None


def metric_name(name: str) -> str:
    """Topics whose metric names are equal collide: '.' and '_' are the same in names of metrics."""
    return name.replace(".", "_")


def id_text(topic_id: bytes) -> str:
    """The 22 characters with which Kafka writes a uuid."""
    return base64.urlsafe_b64encode(topic_id).rstrip(b"=").decode()


def id_from_text(text: str) -> bytes:
    """Raises ValueError for anything but the text of a uuid."""
    try:
        value = base64.urlsafe_b64decode(text + "==")
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"not a uuid: {text!r}") from error
    if len(value) != 16 or len(text) != 22:
        raise ValueError(f"not a uuid: {text!r}")
    return value
