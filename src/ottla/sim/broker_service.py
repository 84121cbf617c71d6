"""Creates the unchanged broker for a simulated node."""

from collections.abc import Mapping

from ottla.broker.node import BrokerNode
from ottla.config.broker_options import BrokerOptions
from ottla.config.listeners import plan_listeners
from ottla.doors.world import World

PORT = 9092
DATA_DIRECTORY = "/data"


def make_broker(host: str, settings: Mapping[str, str], doors: World) -> BrokerNode:
    options = BrokerOptions(
        {
            "node.id": "1",
            "log.dirs": DATA_DIRECTORY,
            "listeners": f"PLAINTEXT://{host}:{PORT}",
            "allow.insecure.listener": "true",
            **settings,
        }
    )
    return BrokerNode(options, plan_listeners(options), doors)
