"""The pace at which new connections are let in."""

from ottla.broker.network.limits import CreationRate


def delays(rate: CreationRate, now_ms: int, count: int) -> list[int]:
    found = []
    for _ in range(count):
        found.append(round(rate.delay_ms(now_ms)))
        rate.book(now_ms)
    return found


def test_one_seconds_worth_may_come_at_once_the_rest_at_an_even_pace() -> None:
    assert delays(CreationRate(4), 10_000, 7) == [0, 0, 0, 0, 250, 500, 750]


def test_a_pause_earns_no_more_than_one_burst() -> None:
    rate = CreationRate(2)
    delays(rate, 0, 2)

    assert delays(rate, 3_600_000, 3) == [0, 0, 500]


def test_asking_books_nothing() -> None:
    rate = CreationRate(1)

    assert [rate.delay_ms(0) for _ in range(3)] == [0, 0, 0]


def test_a_rate_of_zero_lets_nobody_in() -> None:
    assert CreationRate(0).delay_ms(0) == float("inf")
