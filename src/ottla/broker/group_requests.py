"""What the handlers of group requests have in common."""

from ottla.broker.context import RequestContext
from ottla.groups.client import Client
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused


def client_of(context: RequestContext) -> Client:
    """Kafka shows the address of a member with a slash before it."""
    return Client(context.client_id or "", f"/{context.client_host}")


def check_consumer_protocol(context: RequestContext) -> None:
    """The protocol of KIP-848 can be switched off, for the cluster or on this broker."""
    broker = context.broker
    is_on = "consumer" in broker.options.group_coordinator_rebalance_protocols
    if not is_on or broker.image.feature_level("group.version") < 1:
        raise Refused(ErrorCode.UNSUPPORTED_VERSION, "the consumer group protocol is not enabled")
