"""A Kafka that somebody else runs, for `--kafka-bootstrap`: only clients reach it."""


class ExternalServer:
    kind = "a broker that the test kit did not start"

    def __init__(self, bootstrap: str) -> None:
        self.bootstrap = bootstrap

    def close(self) -> None:
        """It is not ours to stop."""
