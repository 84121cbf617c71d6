"""CreateAcls (key 30), versions 1–3. No authorizer is configured: SECURITY_DISABLED. v2 flexible · v3 user resource"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.protocol.generated.create_acls_request import CreateAclsRequest
    from ottla.protocol.generated.create_acls_response import CreateAclsResponse


@handles(ApiKey.CREATE_ACLS, 1, 3)
def create_acls(request: CreateAclsRequest, context: Context) -> CreateAclsResponse:
    from ottla.protocol.generated.create_acls_response import CreateAclsResponse, Results

    refusal = Results(ErrorCode.SECURITY_DISABLED, "No Authorizer is configured.")
    return CreateAclsResponse(results=[refusal for _ in request.creations])
