"""What a consumer was asked to read: topics by name, a pattern, or partitions one by one. No I/O."""

import re
from collections.abc import Iterable
from enum import Enum

from ottla.client.metadata import ClusterImage
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition, name_problem


class SubscriptionKind(Enum):
    NOTHING = "nothing"
    NAMES = "topics"
    PATTERN = "a pattern"
    PARTITIONS = "partitions"


class Subscription:
    """Immutable: a change is a new one. A name that begins with ^ is a pattern, as in librdkafka.

    A pattern that is text is matched by the broker in a consumer group, and here otherwise; one that is compiled always
    here. The whole name has to match.
    """

    def __init__(
        self,
        topics: Iterable[str] = (),
        pattern: "str | re.Pattern[str] | None" = None,
        partitions: Iterable[TopicPartition] | None = None,
    ) -> None:
        """Raises ValueError for a topic name or pattern that cannot be."""
        given = list(dict.fromkeys(topics))
        self.names = frozenset(name for name in given if not name.startswith("^"))
        patterns = [name for name in given if name.startswith("^")]
        if pattern is not None:
            patterns.append(pattern if isinstance(pattern, str) else pattern.pattern)
        self.partitions = frozenset(partitions or ())
        self.kind = SubscriptionKind.NOTHING
        if partitions is not None:
            self.kind = SubscriptionKind.PARTITIONS
        elif patterns:
            self.kind = SubscriptionKind.PATTERN
        elif self.names:
            self.kind = SubscriptionKind.NAMES
        for name in [*self.names, *(partition.topic for partition in self.partitions)]:
            problem = name_problem(name)
            if problem is not None:
                raise ValueError(f"topic {name!r}: {problem}")
        self._pattern = _compiled(patterns, pattern)
        #: For the broker to match; None when only this client can.
        self.text: str | None = None
        if patterns and not isinstance(pattern, re.Pattern):
            self.text = patterns[0] if len(patterns) == 1 else "|".join(f"({text})" for text in patterns)

    @property
    def is_by_pattern(self) -> bool:
        return self.kind is SubscriptionKind.PATTERN

    @property
    def uses_group(self) -> bool:
        return self.kind in (SubscriptionKind.NAMES, SubscriptionKind.PATTERN)

    def topics(self, image: ClusterImage, *, exclude_internal: bool) -> frozenset[str]:
        """Names, and what matches the pattern now."""
        if self._pattern is None:
            return self.names
        matching = {
            name
            for name, topic in image.topics.items()
            if topic.error in (ErrorCode.NONE, ErrorCode.LEADER_NOT_AVAILABLE)
            and not (topic.is_internal and exclude_internal)
            and self._pattern.fullmatch(name)
        }
        return self.names | matching

    def __str__(self) -> str:
        if self.kind is SubscriptionKind.PATTERN and self._pattern is not None:
            return f"pattern {self._pattern.pattern}"
        if self.kind is SubscriptionKind.PARTITIONS:
            return f"partitions {', '.join(str(partition) for partition in sorted(self.partitions))}"
        return f"topics {', '.join(sorted(self.names))}" if self.names else "nothing"


def _compiled(texts: list[str], pattern: "str | re.Pattern[str] | None") -> "re.Pattern[str] | None":
    if not texts:
        return None
    if isinstance(pattern, re.Pattern) and len(texts) == 1:
        return pattern
    try:
        return re.compile("|".join(f"(?:{text})" for text in texts))
    except re.error as error:
        raise ValueError(f"pattern {texts}: {error}") from error


NOTHING = Subscription()
