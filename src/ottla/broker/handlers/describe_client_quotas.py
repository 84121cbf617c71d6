"""DescribeClientQuotas (key 48), versions 0–1.

Quotas whose entities match a filter (KIP-546). v1 flexible
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.metadata.image import QuotaEntity
    from ottla.protocol.generated.describe_client_quotas_request import Components, DescribeClientQuotasRequest
    from ottla.protocol.generated.describe_client_quotas_response import DescribeClientQuotasResponse

_EXACT, _DEFAULT, _ANY = 0, 1, 2
_ENTITY_TYPES = ("user", "client-id", "ip")


@handles(ApiKey.DESCRIBE_CLIENT_QUOTAS, 0, 1)
def describe_client_quotas(request: DescribeClientQuotasRequest, context: Context) -> DescribeClientQuotasResponse:
    from ottla.protocol.generated.describe_client_quotas_response import (
        DescribeClientQuotasResponse,
        Entity,
        Entries,
        Values,
    )

    try:
        _check(request.components)
    except Refused as refusal:
        return DescribeClientQuotasResponse(error_code=refusal.code, error_message=refusal.message, entries=None)
    return DescribeClientQuotasResponse(
        entries=[
            Entries(
                entity=[Entity(kind, name) for kind, name in entity],
                values=[Values(key, value) for key, value in limits.items()],
            )
            for entity, limits in context.services.metadata.image.client_quotas.items()
            if _matches(entity, request)
        ]
    )


def _check(components: list[Components]) -> None:
    seen: dict[str, None] = {}
    for each in components:
        if not each.entity_type:
            raise Refused(ErrorCode.INVALID_REQUEST, "Invalid empty entity type.")
        if each.entity_type in seen:
            message = f"Entity type {each.entity_type} cannot appear more than once in the filter."
            raise Refused(ErrorCode.INVALID_REQUEST, message)
        if each.entity_type not in _ENTITY_TYPES:
            raise Refused(ErrorCode.UNSUPPORTED_VERSION, f"Unsupported entity type {each.entity_type}")
        if each.match_type not in (_EXACT, _DEFAULT, _ANY):
            raise Refused(ErrorCode.INVALID_REQUEST, f"Unknown match type {each.match_type}")
        if (each.match_type == _EXACT) is (each.match is None):
            message = f"Match type {each.match_type} and the match string {each.match!r} do not go together."
            raise Refused(ErrorCode.INVALID_REQUEST, message)
        seen[each.entity_type] = None
    if "ip" in seen and len(seen) > 1:
        message = "IP filter component should not be used with user or clientId filter component."
        raise Refused(ErrorCode.INVALID_REQUEST, f"Invalid entity filter component combination. {message}")


def _matches(entity: QuotaEntity, request: DescribeClientQuotasRequest) -> bool:
    """A strict filter wants exactly its entity types; another one allows more."""
    names = dict(entity)
    if request.strict and len(names) != len(request.components):
        return False
    for each in request.components:
        if each.entity_type not in names:
            return False
        name = names[each.entity_type]
        if (each.match_type == _EXACT and name != each.match) or (each.match_type == _DEFAULT and name is not None):
            return False
    return True
