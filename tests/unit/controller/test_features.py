"""Codes and texts are those Apache Kafka 4.3.0 gave when it was asked the same."""

import pytest

from ottla.protocol.generated.update_features_request import FeatureUpdates, UpdateFeaturesRequest
from ottla.protocol.generated.update_features_response import UpdateFeaturesResponse
from tests.support.controller_host import ControllerHost

PREFIX = "The update failed for all features since the following feature had an error: "


def update(
    host: ControllerHost, *updates: tuple[str, int, int], version: int = 2, dry: bool = False
) -> UpdateFeaturesResponse:
    rows = [FeatureUpdates(name, level, kind) for name, level, kind in updates]
    request = UpdateFeaturesRequest(feature_updates=rows, validate_only=dry)
    return host.run(lambda shard, now: shard.update_features(request, version, now))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (("no.such", 1, 1), "Invalid update version 1 for feature no.such. Local controller 1 does not support this"),
        (
            ("group.version", 9, 1),
            "Invalid update version 9 for feature group.version. Local controller 1 only supports",
        ),
        (
            ("transaction.version", 1, 1),
            "Invalid update version 1 for feature transaction.version. Can't downgrade the",
        ),
        (("group.version", -1, 2), "Invalid update version -1 for feature group.version. A feature version cannot be"),
        (
            ("group.version", 1, 0),
            "Invalid update version 1 for feature group.version. The controller does not support",
        ),
        (
            ("kraft.version", 1, 2),
            "Invalid update version 1 for feature kraft.version. Can't downgrade to a newer version",
        ),
        (("metadata.version", 29, 2), "Unsupported metadata.version downgrade from 30 to 29. Refusing to perform"),
        (("metadata.version", 8, 3), "Unsupported metadata.version downgrade from 30 to 8. Unsafe metadata downgrade"),
        (("metadata.version", 0, 2), "Invalid update version 0 for feature metadata.version. Local controller 1 only"),
    ],
)
def test_an_update_is_refused_as_apache_kafka_does(
    host: ControllerHost, change: tuple[str, int, int], text: str
) -> None:
    answer = update(host, ("group.version", 0, 2), change)

    assert answer.error_code == 95
    assert (answer.error_message or "").startswith(PREFIX + text)
    assert answer.results == []
    assert host.image.feature_level("group.version") == 1


def test_a_feature_is_lowered_and_raised_again(host: ControllerHost) -> None:
    assert update(host, ("transaction.version", 1, 2)).error_code == 0
    assert host.image.feature_level("transaction.version") == 1
    assert update(host, ("transaction.version", 2, 1)).error_code == 0
    assert host.image.feature_level("transaction.version") == 2


def test_the_same_level_and_a_dry_run_write_nothing(host: ControllerHost) -> None:
    before = host.image

    assert update(host, ("group.version", 1, 1)).error_code == 0
    assert update(host, ("group.version", 0, 2), dry=True).error_code == 0
    assert host.image is before


def test_older_versions_are_told_a_result_for_each_feature(host: ControllerHost) -> None:
    answer = update(host, ("group.version", 1, 1), version=1)

    assert [(each.feature, each.error_code, each.error_message) for each in answer.results] == [
        ("group.version", 0, "NONE")
    ]
    assert update(host, ("group.version", 1, 1), version=2).results == []


def test_version_zero_says_with_a_flag_that_a_downgrade_is_wanted(host: ControllerHost) -> None:
    row = FeatureUpdates("group.version", 0)
    request = UpdateFeaturesRequest(feature_updates=[row])
    refused = host.run(lambda shard, now: shard.update_features(request, 0, now))
    row.allow_downgrade = True
    done = host.run(lambda shard, now: shard.update_features(request, 0, now))

    assert (refused.error_code, done.error_code) == (95, 0)
    assert host.image.feature_level("group.version") == 0
