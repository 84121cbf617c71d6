"""DeleteAcls (key 31), versions 1–3. No authorizer is configured: SECURITY_DISABLED. v2 flexible · v3 user resource"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.protocol.generated.delete_acls_request import DeleteAclsRequest
    from ottla.protocol.generated.delete_acls_response import DeleteAclsResponse


@handles(ApiKey.DELETE_ACLS, 1, 3)
def delete_acls(request: DeleteAclsRequest, context: Context) -> DeleteAclsResponse:
    from ottla.protocol.generated.delete_acls_response import DeleteAclsResponse, FilterResults

    refusal = FilterResults(ErrorCode.SECURITY_DISABLED, "No Authorizer is configured.")
    return DeleteAclsResponse(filter_results=[refusal for _ in request.filters])
