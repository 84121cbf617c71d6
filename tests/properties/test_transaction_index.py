"""The lookup in a transaction index finds what a look at every entry finds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ottla.log.segments import transaction_index
from ottla.log.segments.transaction_index import AbortedTransaction, TransactionIndex, decode_transaction_index

#: What happens at the offsets of a partition, one after the other: a producer begins, or goes on, or its marker comes.
moves = st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["data", "data", "abort", "commit"])), max_size=80)


def entries_of(happened: list[tuple[int, str]]) -> list[AbortedTransaction]:
    """As a partition writes them, which is in order of the markers."""
    found, open_since = [], dict[int, int]()
    for offset, (producer_id, move) in enumerate(happened):
        if move == "data":
            open_since.setdefault(producer_id, offset)
            continue
        first_offset = open_since.pop(producer_id, None)
        if first_offset is not None and move == "abort":
            stable_offset = min(open_since.values(), default=offset + 1)
            found.append(AbortedTransaction(producer_id, first_offset, offset, stable_offset))
    return found


@given(moves, st.integers(0, 80), st.integers(0, 80))
def test_overlapping_transactions_are_found(happened: list[tuple[int, str]], from_offset: int, size: int) -> None:
    to_offset = from_offset + size
    entries = entries_of(happened)
    index, is_sound = decode_transaction_index(filled(entries).encoded_from(0), 0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transaction_index, "_BLOCK", 3)
        found = index.overlapping(from_offset, to_offset)
        first_two = index.overlapping(from_offset, to_offset, 2)

    assert is_sound
    assert found == [each for each in entries if each.last_offset >= from_offset and each.first_offset < to_offset]
    assert first_two == found[:2]


@given(moves, st.integers(0, 80), st.integers(0, 80))
def test_an_index_that_is_the_last_one_for_an_offset_leaves_nothing_to_later_ones(
    happened: list[tuple[int, str]], cut: int, to_offset: int
) -> None:
    entries = entries_of(happened)
    earlier = filled([each for each in entries if each.last_offset < cut])
    later = filled([each for each in entries if each.last_offset >= cut])

    if earlier.is_last_for(to_offset):
        assert later.overlapping(0, to_offset) == []


@given(moves, moves, st.integers(0, 80))
def test_a_truncated_index_goes_on(first: list[tuple[int, str]], second: list[tuple[int, str]], cut: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transaction_index, "_BLOCK", 3)
        index = filled(entries_of(first))
        index.overlapping(0, 40)
        index.truncate(cut)
        kept = [each for each in entries_of(first) if each.last_offset < cut]
        added = [each for each in entries_of(second) if each.last_offset >= cut]
        for each in added:
            index.append(each)

        assert index.entries == kept + added
        assert all(index._lowest_of(block) == lowest_in(index, block) for block in range(len(index) // 3))


def lowest_in(index: TransactionIndex, block: int) -> int:
    return min(each.first_offset for each in index.entries[3 * block : 3 * block + 3])


def filled(entries: list[AbortedTransaction]) -> TransactionIndex:
    index = TransactionIndex()
    for each in entries:
        index.append(each)
    return index
