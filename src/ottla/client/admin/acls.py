"""Access control lists: who may do what with which resource."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, NamedTuple

from ottla.client.admin.call import Call, raise_failures
from ottla.client.errors import raise_for
from ottla.protocol.generated import create_acls_request, delete_acls_request
from ottla.protocol.generated.describe_acls_request import DescribeAclsRequest


class ResourceType(IntEnum):
    """What a rule is about. ANY is for filters.

    >>> AclFilter(ResourceType.GROUP, "billing").resource_type.name
    'GROUP'
    """

    ANY = 1
    TOPIC = 2
    GROUP = 3
    CLUSTER = 4
    TRANSACTIONAL_ID = 5
    DELEGATION_TOKEN = 6
    USER = 7


class PatternType(IntEnum):
    """How the name of a rule is compared. ANY and MATCH are for filters; MATCH means whatever fits the name.

    >>> rule = Acl(ResourceType.TOPIC, "eu-", "User:alice", AclOperation.READ, pattern_type=PatternType.PREFIXED)
    >>> rule.pattern_type.name
    'PREFIXED'
    """

    ANY = 1
    MATCH = 2
    LITERAL = 3
    PREFIXED = 4


class AclOperation(IntEnum):
    """What is allowed or denied. ANY is for filters; ALL means every operation.

    >>> operations = (AclOperation.READ, AclOperation.WRITE)
    >>> rules = [Acl(ResourceType.TOPIC, "orders", "User:alice", operation) for operation in operations]
    >>> [rule.operation.name for rule in rules]
    ['READ', 'WRITE']
    """

    ANY = 1
    ALL = 2
    READ = 3
    WRITE = 4
    CREATE = 5
    DELETE = 6
    ALTER = 7
    DESCRIBE = 8
    CLUSTER_ACTION = 9
    DESCRIBE_CONFIGS = 10
    ALTER_CONFIGS = 11
    IDEMPOTENT_WRITE = 12
    CREATE_TOKENS = 13
    DESCRIBE_TOKENS = 14
    TWO_PHASE_COMMIT = 15


class AclPermission(IntEnum):
    """Whether a rule allows or denies. ANY is for filters.

    >>> Acl(ResourceType.TOPIC, "orders", "User:bob", AclOperation.WRITE, AclPermission.DENY).permission.name
    'DENY'
    """

    ANY = 1
    DENY = 2
    ALLOW = 3


class Acl(NamedTuple):
    """One rule: `principal` (such as User:alice) from `host` is allowed or denied an operation.

    >>> rule = Acl(ResourceType.TOPIC, "orders", "User:alice", AclOperation.READ)
    >>> rule.permission.name, rule.host, rule.pattern_type.name
    ('ALLOW', '*', 'LITERAL')
    """

    resource_type: ResourceType
    resource_name: str
    principal: str
    operation: AclOperation
    permission: AclPermission = AclPermission.ALLOW
    host: str = "*"
    pattern_type: PatternType = PatternType.LITERAL


class AclFilter(NamedTuple):
    """Which rules are meant; None and ANY mean all.

    >>> of_alice = AclFilter(principal="User:alice")
    >>> of_alice.resource_type.name, of_alice.resource_name
    ('ANY', None)
    """

    resource_type: ResourceType = ResourceType.ANY
    resource_name: str | None = None
    principal: str | None = None
    operation: AclOperation = AclOperation.ANY
    permission: AclPermission = AclPermission.ANY
    host: str | None = None
    pattern_type: PatternType = PatternType.ANY


async def create_acls(call: Call, acls: Sequence[Acl]) -> None:
    request = create_acls_request.CreateAclsRequest(
        [
            create_acls_request.Creations(
                resource_type=acl.resource_type,
                resource_name=acl.resource_name,
                resource_pattern_type=acl.pattern_type,
                principal=acl.principal,
                host=acl.host,
                operation=acl.operation,
                permission_type=acl.permission,
            )
            for acl in acls
        ]
    )

    def read(response: Any) -> None:
        rows = zip(acls, response.results, strict=True)
        raise_failures({acl: (row.error_code, row.error_message) for acl, row in rows})

    await call.controller(request, read)


async def describe_acls(call: Call, wanted: AclFilter) -> list[Acl]:
    request = DescribeAclsRequest(
        resource_type_filter=wanted.resource_type,
        resource_name_filter=wanted.resource_name,
        pattern_type_filter=wanted.pattern_type,
        principal_filter=wanted.principal,
        host_filter=wanted.host,
        operation=wanted.operation,
        permission_type=wanted.permission,
    )

    def read(response: Any) -> list[Acl]:
        raise_for(response.error_code, response.error_message)
        return [
            _acl(resource.resource_type, resource.resource_name, resource.pattern_type, row)
            for resource in response.resources
            for row in resource.acls
        ]

    return await call.any_node(request, read)


async def delete_acls(call: Call, filters: Sequence[AclFilter]) -> list[Acl]:
    """Those that were deleted."""
    request = delete_acls_request.DeleteAclsRequest(
        [
            delete_acls_request.Filters(
                resource_type_filter=each.resource_type,
                resource_name_filter=each.resource_name,
                pattern_type_filter=each.pattern_type,
                principal_filter=each.principal,
                host_filter=each.host,
                operation=each.operation,
                permission_type=each.permission,
            )
            for each in filters
        ]
    )

    def read(response: Any) -> list[Acl]:
        rows = zip(filters, response.filter_results, strict=True)
        raise_failures({each: (row.error_code, row.error_message) for each, row in rows})
        return [
            _acl(row.resource_type, row.resource_name, row.pattern_type, row)
            for result in response.filter_results
            for row in result.matching_acls
            if not row.error_code
        ]

    return await call.controller(request, read)


def _acl(resource_type: int, name: str, pattern_type: int, row: Any) -> Acl:
    return Acl(
        ResourceType(resource_type),
        name,
        row.principal,
        AclOperation(row.operation),
        AclPermission(row.permission_type),
        row.host,
        PatternType(pattern_type),
    )
