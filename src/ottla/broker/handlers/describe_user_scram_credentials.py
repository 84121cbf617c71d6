"""DescribeUserScramCredentials (key 50), version 0.

Which SCRAM mechanisms a user has and with how many iterations; never the secrets. No users named = all.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.protocol.generated.describe_user_scram_credentials_request import DescribeUserScramCredentialsRequest
    from ottla.protocol.generated.describe_user_scram_credentials_response import (
        CredentialInfos,
        DescribeUserScramCredentialsResponse,
        Results,
    )


@handles(ApiKey.DESCRIBE_USER_SCRAM_CREDENTIALS, 0, 0)
def describe_user_scram_credentials(
    request: DescribeUserScramCredentialsRequest, context: Context
) -> DescribeUserScramCredentialsResponse:
    from ottla.protocol.generated.describe_user_scram_credentials_response import (
        CredentialInfos,
        DescribeUserScramCredentialsResponse,
    )

    known: dict[str, list[CredentialInfos]] = {}
    for (name, mechanism), credential in sorted(context.services.metadata.image.scram_credentials.items()):
        known.setdefault(name, []).append(CredentialInfos(mechanism, credential.iterations))
    counts = Counter(user.name for user in request.users or ()) or Counter(list(known))
    return DescribeUserScramCredentialsResponse(
        results=[_result(name, count, known.get(name)) for name, count in counts.items()]
    )


def _result(name: str, count: int, infos: list[CredentialInfos] | None) -> Results:
    from ottla.protocol.generated.describe_user_scram_credentials_response import Results

    if count > 1:
        message = f"Cannot describe SCRAM credentials for the same user twice in a single request: {name}"
        return Results(user=name, error_code=ErrorCode.DUPLICATE_RESOURCE, error_message=message)
    if infos is None:
        message = f"Attempt to describe a user credential that does not exist: {name}"
        return Results(user=name, error_code=ErrorCode.RESOURCE_NOT_FOUND, error_message=message)
    return Results(user=name, error_message=None, credential_infos=infos)
