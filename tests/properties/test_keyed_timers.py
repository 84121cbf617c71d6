"""Keyed timers beside a list that is searched: the same timers are due, in the same order."""

from hypothesis import given
from hypothesis import strategies as st

from ottla.coordination.shard import Decision, Now, Operation, StartTimer, StopTimer
from ottla.coordination.timers import KeyedTimers

KEYS = st.sampled_from("abcd")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("start"), KEYS, st.integers(0, 20)),
        st.tuples(st.just("stop"), KEYS, st.just(0)),
        st.tuples(st.just("wait"), st.just(""), st.integers(0, 15)),
    ),
    max_size=60,
)


def numbered(number: int) -> Operation:
    def operation(now: Now) -> Decision[int]:
        return Decision(number)

    return operation


@given(STEPS)
def test_what_is_due_is_what_a_search_finds(steps: list[tuple[str, str, int]]) -> None:
    timers = KeyedTimers()
    model: dict[str, tuple[int, int]] = {}
    now_ms = 0
    for number, (what, key, amount_ms) in enumerate(steps):
        if what == "start":
            timers.carry_out(StartTimer(key, amount_ms, numbered(number)), now_ms)
            model[key] = (now_ms + amount_ms, number)
        elif what == "stop":
            timers.carry_out(StopTimer(key), now_ms)
            model.pop(key, None)
        else:
            now_ms += amount_ms
            due = sorted(place for place in model.values() if place[0] <= now_ms)
            model = {key: place for key, place in model.items() if place[0] > now_ms}
            taken = []
            while (operation := timers.take_due(now_ms)) is not None:
                taken.append(operation(Now(0, now_ms)).response)
            assert taken == [number for _, number in due]
        assert len(timers) == len(model)
        assert timers.next_deadline_ms() == min((place[0] for place in model.values()), default=None)
