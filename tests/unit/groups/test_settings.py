from ottla.groups.settings import GroupSettings, MigrationPolicy


def test_assignors_may_be_named_by_kafkas_classes() -> None:
    settings = GroupSettings(
        assignors=("org.apache.kafka.coordinator.group.assignor.RangeAssignor", "my.own.Thing", "uniform")
    )

    assert settings.assignors == ("range", "uniform")


def test_without_a_known_assignor_there_are_both() -> None:
    assert GroupSettings(assignors=("my.own.Thing",)).assignors == ("uniform", "range")


def test_a_group_can_have_settings_of_its_own() -> None:
    settings = GroupSettings(
        overrides=lambda group_id: {"consumer.heartbeat.interval.ms": 7_000} if group_id == "mine" else {}
    )

    assert settings.heartbeat_interval_ms("mine") == 7_000
    assert settings.heartbeat_interval_ms("other") == 5_000
    assert settings.session_timeout_ms("mine") == 45_000
    assert settings.assignment_interval_ms("mine") == 1_000


def test_the_policy_says_which_way_a_group_may_change() -> None:
    ways = {policy: (policy.may_upgrade, policy.may_downgrade) for policy in MigrationPolicy}

    assert ways == {
        MigrationPolicy.DISABLED: (False, False),
        MigrationPolicy.UPGRADE: (True, False),
        MigrationPolicy.DOWNGRADE: (False, True),
        MigrationPolicy.BIDIRECTIONAL: (True, True),
    }
