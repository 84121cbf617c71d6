"""From the flags of `ottla acls` to rules and filters."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ottla.cli.failures import usage
from ottla.client import Acl, AclFilter, AclOperation, AclPermission, PatternType, ResourceType

CLUSTER = "kafka-cluster"
_ANYBODY = "User:*"
_FLAGS = {
    "topics": ResourceType.TOPIC,
    "groups": ResourceType.GROUP,
    "transactional_ids": ResourceType.TRANSACTIONAL_ID,
    "tokens": ResourceType.DELEGATION_TOKEN,
    "users": ResourceType.USER,
}
_PRODUCER = {
    ResourceType.TOPIC: (AclOperation.WRITE, AclOperation.DESCRIBE, AclOperation.CREATE),
    ResourceType.TRANSACTIONAL_ID: (AclOperation.WRITE, AclOperation.DESCRIBE),
}
_CONSUMER = {
    ResourceType.TOPIC: (AclOperation.READ, AclOperation.DESCRIBE),
    ResourceType.GROUP: (AclOperation.READ,),
}


class Scope(NamedTuple):
    """What rules are about."""

    type: ResourceType
    name: str
    pattern: PatternType

    def filter(self) -> AclFilter:
        return AclFilter(self.type, self.name, pattern_type=self.pattern)


def operation_choices() -> str:
    names = [_camel(each) for each in AclOperation if each not in (AclOperation.ANY,)]
    return f"{', '.join(names)}; All unless given."


def _camel(operation: AclOperation) -> str:
    return "".join(part.capitalize() for part in operation.name.split("_"))


def scopes_of(flags: Mapping[str, Any]) -> list[Scope]:
    names = {each.name.lower(): each for each in PatternType}
    pattern = names.get(flags["pattern"].lower())
    if pattern is None:
        raise usage(f"--resource-pattern-type {flags['pattern']}: must be literal, prefixed, any or match")
    found = [Scope(kind, name, pattern) for flag, kind in _FLAGS.items() for name in flags[flag]]
    if flags["cluster"] or (flags["idempotent"] and not flags["list_"]):
        found.append(Scope(ResourceType.CLUSTER, CLUSTER, PatternType.LITERAL))
    return found


def bindings(scopes: Sequence[Scope], flags: Mapping[str, Any]) -> list[Acl]:
    """The rules to add. Raises Failure when nobody is named."""
    if any(scope.pattern in (PatternType.ANY, PatternType.MATCH) for scope in scopes):
        raise usage("--resource-pattern-type of --add must be literal or prefixed")
    who = list(_who(flags))
    if not who:
        raise usage("You must specify one of: --allow-principal, --deny-principal when trying to add ACLs.")
    return [
        Acl(scope.type, scope.name, principal, operation, permission, host, scope.pattern)
        for scope in scopes
        for operation in _operations(scope, flags)
        for principal, permission, host in who
    ]


def filters(scopes: Sequence[Scope], flags: Mapping[str, Any]) -> list[AclFilter]:
    """What to remove: all rules of the resources when nobody is named."""
    who = list(_who(flags))
    if not who:
        return [scope.filter() for scope in scopes]
    return [
        AclFilter(scope.type, scope.name, principal, operation, permission, host, scope.pattern)
        for scope in scopes
        for operation in _operations(scope, flags)
        for principal, permission, host in who
    ]


def _who(flags: Mapping[str, Any]) -> Iterator[tuple[str, AclPermission, str]]:
    for word, permission in (("allow", AclPermission.ALLOW), ("deny", AclPermission.DENY)):
        principals = flags[f"{word}_principal"] or ([_ANYBODY] if flags[f"{word}_host"] else [])
        for principal in principals:
            if ":" not in principal:
                raise usage(f"--{word}-principal {principal}: give TYPE:NAME, such as User:alice")
            for host in flags[f"{word}_host"] or ("*",):
                yield principal, permission, host


def _operations(scope: Scope, flags: Mapping[str, Any]) -> Sequence[AclOperation]:
    if flags["producer"] or flags["consumer"]:
        found: dict[AclOperation, None] = {}
        if flags["producer"]:
            found.update(dict.fromkeys(_PRODUCER.get(scope.type, ())))
            if scope.type is ResourceType.CLUSTER and flags["idempotent"]:
                found[AclOperation.IDEMPOTENT_WRITE] = None
        if flags["consumer"]:
            found.update(dict.fromkeys(_CONSUMER.get(scope.type, ())))
        return list(found)
    return [_operation(text) for text in flags["operations"]] or [AclOperation.ALL]


def _operation(text: str) -> AclOperation:
    by_name = {_camel(each).lower(): each for each in AclOperation}
    found = by_name.get(text.replace("_", "").lower())
    if found is None:
        raise usage(f"--operation {text}: must be one of {', '.join(_camel(each) for each in AclOperation)}")
    return found
