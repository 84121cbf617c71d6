"""What the handlers of group requests have in common."""

from ottla.broker.context import RequestContext
from ottla.groups.client import Client


def client_of(context: RequestContext) -> Client:
    """Kafka shows the address of a member with a slash before it."""
    return Client(context.client_id or "", f"/{context.client_host}")
