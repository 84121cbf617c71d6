# What `__init__` has for type checkers: it loads the names of the client only when they are used.
from ottla.client import Admin as Admin
from ottla.client import AsyncAdmin as AsyncAdmin
from ottla.client import AsyncProducer as AsyncProducer
from ottla.client import Producer as Producer
from ottla.client import TopicPartition as TopicPartition

__version__: str
