"""Option rows and option sets."""

import pickle

import pytest

from ottla.config.broker_options import BrokerOptions
from ottla.config.checks import at_least
from ottla.config.kinds import Secret
from ottla.config.option import OptionSet
from ottla.config.rows import boolean_option, int_option, list_option, password_option, string_option
from ottla.config.topic_options import TopicOptions
from ottla.model.errors import InvalidConfig


class LampOptions(OptionSet):
    brightness = int_option("lamp.brightness", 5, "How bright.", check=at_least(1))
    name = string_option("lamp.name", None, "What it is called.")
    colours = list_option("lamp.colours", ("red",), "Which colours.", effect=False)
    is_on = boolean_option("lamp.on", False, "Whether it shines.")
    key = password_option("lamp.key", "Who may switch it.")


def test_a_setting_that_is_not_given_has_its_default() -> None:
    options = LampOptions()

    assert (options.brightness, options.name, options.colours, options.is_on) == (5, None, ("red",), False)


def test_texts_become_typed_values() -> None:
    options = LampOptions({"lamp.brightness": " 7 ", "lamp.name": "desk", "lamp.colours": "a, b,a", "lamp.on": "TRUE"})

    assert (options.brightness, options.name, options.colours, options.is_on) == (7, "desk", ("a", "b"), True)


def test_the_row_is_found_on_the_class() -> None:
    assert LampOptions.brightness.doc == "How bright."
    assert LampOptions.rows["lamp.brightness"] is LampOptions.brightness


def test_all_problems_come_in_one_exception() -> None:
    with pytest.raises(InvalidConfig) as caught:
        LampOptions({"lamp.brightness": "0", "lamp.on": "maybe"})

    assert caught.value.problems == [
        "Invalid value 0 for configuration lamp.brightness: Value must be at least 1",
        "Invalid value maybe for configuration lamp.on: Expected value to be either true or false",
    ]


def test_a_lenient_set_leaves_wrong_values_out() -> None:
    options, problems = LampOptions.lenient({"lamp.brightness": "0", "lamp.name": "desk"})

    assert (options.brightness, options.name, len(problems)) == (5, "desk", 1)


def test_an_option_set_cannot_be_changed() -> None:
    options = LampOptions()

    with pytest.raises(AttributeError):
        options.brightness = 9
    with pytest.raises(AttributeError):
        del options.name


def test_a_change_makes_a_new_set_and_keeps_the_old_one() -> None:
    old = LampOptions({"lamp.brightness": "7", "lamp.name": "desk"})

    new = old.with_changes({"lamp.brightness": "8", "lamp.name": None})

    assert (old.brightness, old.name) == (7, "desk")
    assert (new.brightness, new.name) == (8, None)
    assert not new.is_set("lamp.name")


def test_equal_texts_make_equal_sets() -> None:
    assert LampOptions({"lamp.brightness": "7"}) == LampOptions({"lamp.brightness": "7"})
    assert LampOptions({"lamp.brightness": "7"}) != LampOptions({"lamp.brightness": "8"})
    assert hash(LampOptions({"lamp.brightness": "7"})) == hash(LampOptions({"lamp.brightness": "7"}))


def test_a_set_travels_to_another_process() -> None:
    options = LampOptions({"lamp.brightness": "7", "lamp.key": "hunter2", "other": "x"})

    assert pickle.loads(pickle.dumps(options)) == options


def test_an_unknown_name_is_kept_aside_with_the_nearest_name() -> None:
    options = LampOptions({"lamp.brightnes": "7", "zzz": "1"})

    assert options.unknown == {"lamp.brightnes": "7", "zzz": "1"}
    assert options.unknown_hints() == [
        "unknown configuration lamp.brightnes; did you mean lamp.brightness?",
        "unknown configuration zzz",
    ]


def test_a_password_is_never_printed() -> None:
    options = LampOptions({"lamp.key": "hunter2"})

    assert options.key == Secret("hunter2")
    assert options.key is not None
    assert options.key.reveal() == "hunter2"
    assert "hunter2" not in f"{options} {options.key} {options.key!r} {[options.key]}"
    assert options.text_of("lamp.key") is None


def test_settings_without_effect_are_named_only_when_they_are_given() -> None:
    assert LampOptions({"lamp.brightness": "7"}).without_effect() == []
    assert LampOptions({"lamp.colours": "blue"}).without_effect() == ["lamp.colours"]


def test_broker_id_and_node_id_stand_for_each_other() -> None:
    assert BrokerOptions({"broker.id": "4"}).node_id == 4
    assert BrokerOptions({"node.id": "5"}).broker_id == 5


@pytest.mark.parametrize(
    ("values", "fragment"),
    [
        ({"node.id": "1", "broker.id": "2"}, "must be the same"),
        ({"log.retention.ms": "0"}, "must be unlimited (-1)"),
        ({"log.local.retention.ms": "9", "log.retention.ms": "8"}, "Value must not be more than log.retention.ms"),
        ({"max.connections.per.ip.overrides": "a:1,b"}, "'b' is not of the form address:number"),
        ({"log.roll.ms": "0"}, "log.roll.ms must be"),
        ({"broker.heartbeat.interval.ms": "5000"}, "at most half"),
        ({"group.consumer.session.timeout.ms": "1000"}, "must be between group.consumer.min.session.timeout.ms"),
        ({"group.share.delivery.count.limit": "10", "group.share.max.delivery.count.limit": "6"}, "group.share.max"),
        ({"transaction.state.log.min.isr": "2", "transaction.state.log.replication.factor": "1"}, "never be reached"),
    ],
)
def test_values_that_contradict_each_other_are_refused(values: dict[str, str], fragment: str) -> None:
    with pytest.raises(InvalidConfig) as caught:
        BrokerOptions(values)

    assert fragment in str(caught.value)


def test_a_topic_cannot_compact_later_than_at_the_latest() -> None:
    with pytest.raises(InvalidConfig, match="conflict topic config setting"):
        TopicOptions({"min.compaction.lag.ms": "10", "max.compaction.lag.ms": "5"})


def test_log_dirs_counts_more_than_log_dir() -> None:
    assert BrokerOptions({"log.dir": "/a"}).log_directories == ("/a",)
    assert BrokerOptions({"log.dir": "/a", "log.dirs": "/b,/c"}).log_directories == ("/b", "/c")
    assert BrokerOptions().log_directories == ()


def test_a_setting_of_one_listener_is_not_unknown() -> None:
    options = BrokerOptions({"listener.name.in.ssl.key.password": "x", "listener.name.in.nonsense": "x"})

    assert options.unknown_hints() == ["unknown configuration listener.name.in.nonsense"]
