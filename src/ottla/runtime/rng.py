"""The operating system's randomness."""

import secrets
import uuid


class OsRng:
    def below(self, limit: int) -> int:
        return secrets.randbelow(limit)

    def random_bytes(self, count: int) -> bytes:
        return secrets.token_bytes(count)

    def uuid(self) -> bytes:
        while True:
            value = uuid.uuid4().bytes
            # Kafka's text form of an id must not begin with a dash: command lines would take it for an option.
            if value[0] >> 2 != 62:
                return value
