"""The pytest plug-in, in a pytest of its own."""

import pytest

from ottla.broker.handlers import load_handlers
from ottla.testing import Broker, in_process, server_process

#: Loaded here, so that not each pytest within this one loads them again.
LOADED = (in_process, server_process, load_handlers())
pytest_plugins = ["pytester"]


def run(pytester: pytest.Pytester, source: str, *options: str) -> pytest.RunResult:
    pytester.makepyfile(source)
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", *options)


def test_a_fixture_gives_each_test_a_broker_of_its_own(pytester: pytest.Pytester) -> None:
    source = """
        import pytest

        @pytest.mark.kafka(topics={"orders": 3}, config={"num.partitions": 2})
        def test_one(kafka):
            assert len(kafka.offsets("orders")) == 3
            kafka.send("orders", "x")

        @pytest.mark.kafka(topics=["orders"])
        def test_other(kafka):
            assert kafka.read("orders") == []

        def test_a_shared_one(kafka_server, kafka_url):
            assert kafka_server.bootstrap == kafka_url
    """
    run(pytester, source, "--strict-markers").assert_outcomes(passed=3)


def test_workers_of_xdist_do_not_meet(pytester: pytest.Pytester) -> None:
    source = """
        import pytest

        @pytest.mark.parametrize("number", range(6))
        def test_many(kafka, number):
            kafka.create_topic("t")
            kafka.send("t", number)
            assert [record.json() for record in kafka.read("t", n=1)] == [number]
    """
    run(pytester, source, "-p", "xdist", "-n", "2").assert_outcomes(passed=6)


def test_the_asyncio_fixture_has_coroutines(pytester: pytest.Pytester) -> None:
    source = """
        import asyncio

        def test_async(akafka):
            async def story():
                await akafka.create_topic("t")
                await akafka.send("t", "x")
                assert [record.text for record in await akafka.read("t", n=1)] == ["x"]
                with akafka.fail("Produce", "NOT_LEADER_OR_FOLLOWER"):
                    assert akafka.requests() == []
            asyncio.run(story())
    """
    run(pytester, source).assert_outcomes(passed=1)


def test_a_failed_test_shows_what_the_broker_holds(pytester: pytest.Pytester) -> None:
    source = """
        from ottla.client import Producer

        def test_fails(kafka):
            kafka.create_topic("orders")
            with Producer(kafka.config, client_id="svc") as producer:
                producer.send("orders", b"x").result()
            assert False
    """
    result = run(pytester, source)

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*kafka broker*", "topic orders: 0:0..1", "last * requests:", "*Produce v*client=svc*"]
    )


def test_the_same_tests_run_against_any_kafka(pytester: pytest.Pytester) -> None:
    source = """
        import pytest

        @pytest.mark.kafka(topics=["orders"])
        def test_records(kafka):
            kafka.send("orders", "x")
            assert len(kafka.read("orders", n=1)) == 1

        def test_faults(kafka):
            kafka.fail("Produce", "NOT_LEADER_OR_FOLLOWER")

        @pytest.mark.kafka(config={"num.partitions": 2})
        def test_settings(kafka):
            pass
    """
    with Broker(topics=["of-somebody-else"]) as other:
        result = run(pytester, source, f"--kafka-bootstrap={other.bootstrap}", "-rs")

        result.assert_outcomes(passed=1, skipped=2)
        result.stdout.fnmatch_lines(["*fail needs a broker in the test's process*"])
        assert other.topics() == ["of-somebody-else"]


def test_the_kit_needs_no_pytest(pytester: pytest.Pytester) -> None:
    script = pytester.makepyfile(
        script="""
            import sys

            sys.modules["pytest"] = None
            from ottla.testing import Broker

            with Broker(topics=["t"]) as broker:
                broker.send("t", "x")
                assert len(broker.read("t", n=1)) == 1
        """
    )
    assert pytester.runpython(script).ret == 0


def test_a_broker_can_be_a_process_of_its_own(pytester: pytest.Pytester) -> None:
    source = """
        import pytest
        from ottla.testing import UnsupportedHere

        @pytest.mark.kafka(isolation="process", topics=["t"])
        def test_process(kafka):
            kafka.send("t", "x")
            assert len(kafka.read("t", n=1)) == 1
            with pytest.raises(UnsupportedHere, match="in a process of its own"):
                kafka.clock.advance(hours=1)
    """
    run(pytester, source).assert_outcomes(passed=1)
