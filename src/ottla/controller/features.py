"""UpdateFeatures: raising and lowering what the cluster has agreed on (KIP-584, KIP-778)."""

from typing import Any

from ottla.controller.feature_levels import SUPPORTED_FEATURES
from ottla.controller.view import ClusterView
from ottla.coordination.shard import Decision
from ottla.metadata.image import METADATA_VERSION
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated.feature_level_record import FeatureLevelRecord
from ottla.protocol.generated.update_features_request import FeatureUpdates, UpdateFeaturesRequest
from ottla.protocol.generated.update_features_response import Results, UpdateFeaturesResponse

UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE = 1, 2, 3
_KEPT_BY_QUORUM = "kraft.version"
#: Up to this version a response has one result per feature.
_VERSION_WITHOUT_RESULTS = 2
_PREFIX = "The update failed for all features since the following feature had an error: "


def update_features(
    view: ClusterView, request: UpdateFeaturesRequest, version: int
) -> Decision[UpdateFeaturesResponse]:
    """All or nothing."""
    records: list[Any] = []
    try:
        for update in request.feature_updates:
            records += _update_one(view, update, _upgrade_type(update, version))
    except Refused as refusal:
        message = _PREFIX + (refusal.message or "")
        return Decision(UpdateFeaturesResponse(error_code=refusal.code, error_message=message))
    response = UpdateFeaturesResponse(error_message=None)
    if version < _VERSION_WITHOUT_RESULTS:
        response.results = [Results(update.feature, ErrorCode.NONE, "NONE") for update in request.feature_updates]
    return Decision(response, [] if request.validate_only else records)


def _upgrade_type(update: FeatureUpdates, version: int) -> int:
    if version == 0:
        return SAFE_DOWNGRADE if update.allow_downgrade else UPGRADE
    return update.upgrade_type


def _update_one(view: ClusterView, update: FeatureUpdates, upgrade_type: int) -> list[Any]:
    name, level = update.feature, update.max_version_level
    current = view.image.feature_level(name)
    if upgrade_type not in (UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE):
        raise _invalid(name, level, "The controller does not support the given upgrade type.")
    if level < 0:
        raise _invalid(name, level, "A feature version cannot be less than 0.")
    _check_supported(view, name, level)
    if level < current and upgrade_type == UPGRADE:
        reason = "Can't downgrade the version of this feature without setting the upgrade type to either safe or "
        raise _invalid(name, level, reason + "unsafe downgrade.")
    if level > current and upgrade_type != UPGRADE:
        raise _invalid(name, level, "Can't downgrade to a newer version.")
    if name == METADATA_VERSION and level < current:
        _refuse_metadata_downgrade(current, level, upgrade_type)
    if level == current or name == _KEPT_BY_QUORUM:
        return []
    return [FeatureLevelRecord(name=name, feature_level=level)]


def _check_supported(view: ClusterView, name: str, level: int) -> None:
    supported = SUPPORTED_FEATURES.get(name)
    local = f"Local controller {view.node_id}"
    if supported is None:
        raise _invalid(name, level, f"{local} does not support this feature.")
    if not supported.covers(level):
        only = f"{supported.min_version}-{supported.max_version}"
        raise _invalid(name, level, f"{local} only supports versions {only}")
    for broker_id, broker in sorted(view.image.brokers.items()):
        versions = broker.supported(name)
        if level != 0 and (versions is None or not versions.covers(level)):
            only = "does not support this feature."
            if versions is not None:
                only = f"only supports versions {versions.min_version}-{versions.max_version}"
            raise _invalid(name, level, f"Broker {broker_id} {only}")


def _refuse_metadata_downgrade(current: int, level: int, upgrade_type: int) -> None:
    reason = "Refusing to perform the requested downgrade because it might delete metadata information."
    if upgrade_type == UNSAFE_DOWNGRADE:
        reason = "Unsafe metadata downgrade is not supported in this version."
    message = f"Unsupported metadata.version downgrade from {current} to {level}. {reason}"
    raise Refused(ErrorCode.INVALID_UPDATE_VERSION, message)


def _invalid(name: str, level: int, reason: str) -> Refused:
    return Refused(ErrorCode.INVALID_UPDATE_VERSION, f"Invalid update version {level} for feature {name}. {reason}")
