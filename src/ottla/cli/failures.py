"""What a command raises when it fails: one sentence, a hint, an exit code. And how errors of the client become one."""

from collections.abc import Iterable

import click

from ottla.cli.exit_codes import (
    EXIT_FAILED,
    EXIT_NOT_AUTHORIZED,
    EXIT_NOT_FOUND,
    EXIT_PARTLY_FAILED,
    EXIT_TIMED_OUT,
    EXIT_UNREACHABLE,
    EXIT_USAGE,
)
from ottla.client.errors import (
    AuthenticationFailed,
    AuthorizationFailed,
    ClientError,
    ConnectionFailed,
    RequestRefused,
    TimedOut,
    UnsupportedByBroker,
)
from ottla.model.error_codes import TEXTS, ErrorCode
from ottla.model.errors import InvalidConfig, ProtocolError

#: What the frame turns into a Failure. Anything else is a bug and keeps its traceback.
EXPECTED = (ClientError, InvalidConfig, ProtocolError, OSError, UnicodeDecodeError)
_NOT_FOUND = frozenset(
    {
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.GROUP_ID_NOT_FOUND,
        ErrorCode.TRANSACTIONAL_ID_NOT_FOUND,
        ErrorCode.RESOURCE_NOT_FOUND,
        ErrorCode.BROKER_ID_NOT_REGISTERED,
    }
)
_HINTS = {
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: "ottla topic list shows the topics",
    ErrorCode.GROUP_ID_NOT_FOUND: "ottla group list shows the groups",
    ErrorCode.MISMATCHED_ENDPOINT_TYPE: (
        "--bootstrap-controller takes a listener of controller.listener.names, --bootstrap-server one of a broker"
    ),
    ErrorCode.NON_EMPTY_GROUP: "stop the consumers of the group first",
    ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC: "stop the consumers of the topic first",
    ErrorCode.SECURITY_DISABLED: "the broker has no authorizer: set authorizer.class.name in its configuration",
}


class Failure(click.ClickException):
    """`code` is the exit code of our own verbs; `name` identifies the error in JSON."""

    def __init__(self, message: str, *, hint: str | None = None, code: int = EXIT_FAILED, name: str = "FAILED") -> None:
        super().__init__(message)
        self.hint = hint
        self.code = code
        self.name = name
        #: How the command prints its output, and the whole line where Kafka's tool has one of its own.
        self.output: str | None = None
        self.line: str | None = None


def usage(message: str, hint: str | None = None) -> Failure:
    return Failure(message, hint=hint, code=EXIT_USAGE, name="USAGE")


def not_found(what: str, name: str, known: Iterable[str] = ()) -> Failure:
    """`known` are the names that exist: the nearest one becomes the hint."""
    from difflib import get_close_matches  # only a mistake needs it

    near = get_close_matches(name, list(known), n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"ottla {what} list shows what there is"
    return Failure(f"{what} {name!r} not found", hint=hint, code=EXIT_NOT_FOUND, name="NOT_FOUND")


def partly_failed(message: str, hint: str | None = None) -> Failure:
    return Failure(message, hint=hint, code=EXIT_PARTLY_FAILED, name="PARTLY_FAILED")


def failure_of(error: Exception) -> Failure:
    """The failure that describes an expected error."""
    if isinstance(error, RequestRefused):
        return _of_refusal(error)
    if isinstance(error, AuthenticationFailed):
        return Failure(str(error), code=EXIT_NOT_AUTHORIZED, name=error.code.name)
    if isinstance(error, UnsupportedByBroker):
        hint = "ottla broker-api-versions shows what the broker serves"
        return Failure(str(error), hint=hint, name=error.code.name)
    if isinstance(error, TimedOut):
        return Failure(str(error), code=EXIT_TIMED_OUT, name=error.code.name)
    if isinstance(error, ConnectionFailed):
        return Failure(str(error), code=EXIT_UNREACHABLE, name=error.code.name)
    if isinstance(error, InvalidConfig):
        return usage("; ".join(error.problems))
    if isinstance(error, UnicodeDecodeError):
        return Failure(f"not UTF-8 at byte {error.start}: {error.reason}")
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return Failure(f"{where}{error.strerror}")
    return Failure(str(error) or type(error).__name__)


def _of_refusal(error: RequestRefused) -> Failure:
    code = EXIT_NOT_FOUND if error.code in _NOT_FOUND else EXIT_FAILED
    if isinstance(error, AuthorizationFailed):
        code = EXIT_NOT_AUTHORIZED
    if len(error.failures) > 1:
        message = "; ".join(refusal_text(each) for each in error.failures.values())
    else:
        message = refusal_text(error)
    return Failure(message, hint=_HINTS.get(error.code), code=code, name=error.code.name)


def refusal_text(error: Exception) -> str:
    """The broker's message without the name of the code; the text of the code where there is no message."""
    if not isinstance(error, RequestRefused):
        return str(error)
    text = TEXTS.get(error.code, error.code.name)
    if error.message is None or error.message == text:
        return text
    # One or two words are the name of what was asked for; more are a sentence of the broker.
    return error.message if len(error.message.split()) > 2 else f"{error.message}: {text}"


def unreachable(servers: str, cause: Exception) -> Failure:
    """No broker responded in time."""
    last = str(cause).rpartition("last error: ")[2]
    return Failure(
        f"no broker reachable at {servers}: {last}",
        hint="is the broker running? ottla doctor checks each step; -b HOST:PORT names another broker",
        code=EXIT_UNREACHABLE,
        name="UNREACHABLE",
    )
