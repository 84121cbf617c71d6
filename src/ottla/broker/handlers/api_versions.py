"""ApiVersions (key 18), versions 0–4.

What this node serves, from the handlers that exist. The response header is v0 at every version.
v3 flexible, software name, features · v4 features whose lowest level is 0
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import Entry, handles
from ottla.controller.feature_levels import SUPPORTED_FEATURES
from ottla.metadata.image import MetadataImage
from ottla.model.error_codes import ErrorCode
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.api_versions_request import ApiVersionsRequest
from ottla.protocol.generated.api_versions_response import (
    ApiKeys,
    ApiVersionsResponse,
    FinalizedFeatures,
    SupportedFeatures,
)

_LEGAL_SOFTWARE = re.compile(r"[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?\Z")


def _unsupported_version(request: None, context: Context) -> ApiVersionsResponse:
    """The response to a version we do not know, in the shape of v0, naming our own range for this API."""
    served = _served(context.connection.apis)
    return ApiVersionsResponse(
        error_code=ErrorCode.UNSUPPORTED_VERSION,
        api_keys=[row for row in served if row.api_key == ApiKey.API_VERSIONS],
    )


@handles(ApiKey.API_VERSIONS, 0, 4, fallback=_unsupported_version)
def api_versions(request: ApiVersionsRequest, context: Context) -> ApiVersionsResponse:
    if context.version >= 3 and not (
        _LEGAL_SOFTWARE.match(request.client_software_name) and _LEGAL_SOFTWARE.match(request.client_software_version)
    ):
        return ApiVersionsResponse(error_code=ErrorCode.INVALID_REQUEST, finalized_features_epoch=-1)
    response = ApiVersionsResponse(api_keys=_served(context.connection.apis))
    if context.version >= 3:
        _add_features(response, context.services.metadata.image, context.version)
    return response


def _served(handlers: Mapping[int, Entry]) -> list[ApiKeys]:
    return [
        ApiKeys(api_key=key, min_version=entry.advertised_min, max_version=entry.max_version)
        for key, entry in sorted(handlers.items())
    ]


def _add_features(response: ApiVersionsResponse, image: MetadataImage, version: int) -> None:
    response.supported_features = [
        SupportedFeatures(name=name, min_version=lowest, max_version=highest)
        for name, (lowest, highest) in SUPPORTED_FEATURES.items()
        # Before v4 a lowest level of 0 makes Java clients fail (KIP-584): such features are left out.
        if lowest > 0 or version >= 4
    ]
    response.finalized_features_epoch = max(0, image.offset)
    response.finalized_features = [
        FinalizedFeatures(name=name, max_version_level=level, min_version_level=level)
        for name, level in sorted(image.features.items())
        # A directory of Apache Kafka may have agreed on more than we serve; clients would try to use it.
        if level > 0 and name in SUPPORTED_FEATURES
    ]
