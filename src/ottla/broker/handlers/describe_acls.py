"""DescribeAcls (key 29), versions 1–3.

No authorizer is configured: SECURITY_DISABLED. v2 flexible · v3 user resource
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.protocol.generated.describe_acls_request import DescribeAclsRequest
    from ottla.protocol.generated.describe_acls_response import DescribeAclsResponse


@handles(ApiKey.DESCRIBE_ACLS, 1, 3)
def describe_acls(request: DescribeAclsRequest, context: Context) -> DescribeAclsResponse:
    from ottla.protocol.generated.describe_acls_response import DescribeAclsResponse

    message = "No Authorizer is configured on the broker"
    return DescribeAclsResponse(error_code=ErrorCode.SECURITY_DISABLED, error_message=message)
