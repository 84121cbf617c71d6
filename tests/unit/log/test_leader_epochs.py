from ottla.log.leader_epochs import LeaderEpochs


def epochs_of(*entries: tuple[int, int]) -> LeaderEpochs:
    epochs = LeaderEpochs()
    for epoch, start in entries:
        epochs.assign(epoch, start)
    return epochs


def test_an_epoch_starts_once() -> None:
    assert epochs_of((1, 0), (1, 5), (2, 9), (2, 9)).items() == [(1, 0), (2, 9)]


def test_an_epoch_without_records_gives_way_to_the_next() -> None:
    assert epochs_of((1, 0), (2, 5), (3, 5)).items() == [(1, 0), (3, 5)]


def test_contradictions_go() -> None:
    assert epochs_of((1, 0), (5, 10), (3, 20)).items() == [(1, 0), (3, 20)]
    assert epochs_of((1, 0), (2, 10), (3, 4)).items() == [(1, 0), (3, 4)]


def test_an_unknown_epoch_ends_where_the_next_known_one_begins() -> None:
    epochs = epochs_of((2, 10), (5, 20))
    found = [epochs.end_offset_for(epoch, 30) for epoch in range(-1, 7)]
    assert found == [(-1, -1), (0, 10), (1, 10), (2, 20), (2, 20), (2, 20), (5, 30), (-1, -1)]


def test_cutting_the_end_drops_epochs_that_begin_there() -> None:
    epochs = epochs_of((1, 0), (2, 10), (3, 20))
    epochs.truncate_from_end(20)
    assert epochs.items() == [(1, 0), (2, 10)]
    epochs.truncate_from_end(0)
    assert (epochs.items(), epochs.latest) == ([], -1)


def test_cutting_the_start_keeps_the_epoch_that_covers_it() -> None:
    epochs = epochs_of((1, 0), (2, 10), (3, 20))
    epochs.truncate_from_start(15)
    assert epochs.items() == [(2, 15), (3, 20)]
    epochs.truncate_from_start(5)
    assert epochs.items() == [(2, 15), (3, 20)]
    epochs.truncate_from_start(99)
    assert epochs.items() == [(3, 99)]


def test_the_epoch_of_an_offset() -> None:
    epochs = epochs_of((2, 10), (5, 20))
    assert [epochs.epoch_at(offset) for offset in (9, 10, 19, 20, 99)] == [-1, 2, 2, 5, 5]
