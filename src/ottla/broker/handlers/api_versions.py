"""ApiVersions (key 18), versions 0–4.

What this node serves, from the handlers that exist. The response header is v0 at every version.
v3 flexible, software name, features · v4 features whose lowest level is 0
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ottla.broker.context import RequestContext
from ottla.broker.registry import Entry, handles
from ottla.controller.feature_levels import SUPPORTED_FEATURES
from ottla.model.error_codes import ErrorCode
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.api_versions_request import ApiVersionsRequest
from ottla.protocol.generated.api_versions_response import (
    ApiKeys,
    ApiVersionsResponse,
    FinalizedFeatures,
    SupportedFeatures,
)

if TYPE_CHECKING:
    from ottla.broker.node import BrokerNode

_LEGAL_SOFTWARE = re.compile(r"[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?\Z")


@handles(ApiKey.API_VERSIONS, 0, 4)
def api_versions(request: ApiVersionsRequest, context: RequestContext) -> ApiVersionsResponse:
    if context.version >= 3 and not (
        _LEGAL_SOFTWARE.match(request.client_software_name) and _LEGAL_SOFTWARE.match(request.client_software_version)
    ):
        return ApiVersionsResponse(error_code=ErrorCode.INVALID_REQUEST, finalized_features_epoch=-1)
    broker = context.broker
    response = ApiVersionsResponse(api_keys=_served(context.connection.pipeline.handlers))
    if context.version >= 3:
        _add_features(response, broker, context.version)
    return response


def _unsupported_version(request: None, context: RequestContext) -> ApiVersionsResponse:
    """The response to a version we do not know, in the shape of v0, naming our own range for this API."""
    served = _served(context.connection.pipeline.handlers)
    return ApiVersionsResponse(
        error_code=ErrorCode.UNSUPPORTED_VERSION,
        api_keys=[row for row in served if row.api_key == ApiKey.API_VERSIONS],
    )


#: Serves a version that the pipeline cannot decode.
UNSUPPORTED_VERSION = Entry(ApiKey.API_VERSIONS, 0, 0, 0, _unsupported_version)


def _served(handlers: Mapping[int, Entry]) -> list[ApiKeys]:
    return [
        ApiKeys(api_key=key, min_version=entry.advertised_min, max_version=entry.max_version)
        for key, entry in sorted(handlers.items())
    ]


def _add_features(response: ApiVersionsResponse, broker: BrokerNode, version: int) -> None:
    image = broker.image
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
