"""Regular expressions of subscriptions: RE2 only, because they come from clients and must end in linear time."""

from collections.abc import Iterable

from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused


def check_regex(regex: str) -> None:
    _compile(regex)


def matching_topics(regex: str, names: Iterable[str]) -> tuple[str, ...]:
    """Topics whose whole name matches, in order."""
    pattern = _compile(regex)
    return tuple(sorted(name for name in names if pattern.fullmatch(name)))


def _compile(regex: str):  # type: ignore[no-untyped-def]  # the re2 package has no types
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(regex, options)
    except re2.error as error:
        reason = error.args[0]
        text = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        raise Refused(
            ErrorCode.INVALID_REGULAR_EXPRESSION,
            f"SubscribedTopicRegex `{regex}` is not a valid regular expression: {text}.",
        ) from error
