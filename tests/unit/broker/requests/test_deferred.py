"""Answers that come later."""

from ottla.broker.requests.deferred import Deferred


def test_the_listener_gets_the_response_whenever_it_comes() -> None:
    heard: list[str] = []
    early, late = Deferred(), Deferred()
    early.resolve("early")
    early.listen(heard.append)
    late.listen(heard.append)
    late.resolve("late")

    assert heard == ["early", "late"]


def test_a_second_response_is_ignored() -> None:
    heard: list[str] = []
    deferred = Deferred()
    deferred.listen(heard.append)
    deferred.resolve("first")
    deferred.resolve("second")

    assert heard == ["first"]


def test_an_abandoned_answer_is_cleaned_up_and_never_sent() -> None:
    heard: list[str] = []
    cleaned: list[bool] = []
    deferred = Deferred(on_abandoned=lambda: cleaned.append(True))
    deferred.listen(heard.append)
    deferred.abandon()
    deferred.resolve("too late")

    assert cleaned == [True]
    assert heard == []
