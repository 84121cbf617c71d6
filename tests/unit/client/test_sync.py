"""Clients without asyncio: what they do once they are closed."""

from collections.abc import Callable
from typing import Any

import pytest

from ottla.client import Admin, ClientClosed, Consumer, Producer

#: Nobody is asked: nothing is sent before it is needed.
NOBODY = "127.0.0.1:1"


@pytest.mark.parametrize(
    ("create", "use"),
    [
        pytest.param(Admin, lambda admin: admin.list_topics(), id="admin"),
        pytest.param(Consumer, lambda consumer: consumer.poll(timeout_ms=0), id="consumer"),
        pytest.param(Consumer, lambda consumer: consumer.assign([("orders", 0)]), id="consumer, plain call"),
        pytest.param(Producer, lambda producer: producer.send("orders", b"1"), id="producer"),
        pytest.param(Producer, lambda producer: producer.flush(), id="producer, flush"),
    ],
)
def test_a_closed_client_says_so(create: Callable[..., Any], use: Callable[[Any], object]) -> None:
    client = create(bootstrap_servers=NOBODY)
    client.close()

    with pytest.raises(ClientClosed):
        use(client)
