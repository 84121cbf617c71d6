"""UpdateFeatures (key 57), versions 0–2.

Raises or lowers feature levels, all or none. v1 upgrade type and dry run · v2 no results per feature
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.requests.registry import handles
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.protocol.generated.update_features_request import UpdateFeaturesRequest
    from ottla.protocol.generated.update_features_response import UpdateFeaturesResponse


@handles(ApiKey.UPDATE_FEATURES, 0, 2)
async def update_features(request: UpdateFeaturesRequest, context: Context) -> UpdateFeaturesResponse:
    response: UpdateFeaturesResponse = await context.services.controller.ask(
        request, context.version, context.principal
    )
    return response
