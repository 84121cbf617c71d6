"""What compaction knows about keys."""

from ottla.log.compaction.offset_map import OffsetMap
from ottla.records.record_picking import BatchKeys


def keys(*found: bytes | None, tombstones: tuple[int, ...] = ()) -> BatchKeys:
    return BatchKeys(list(found), list(range(len(found))), list(tombstones))


def test_the_offset_map_tells_long_keys_apart_and_is_bounded() -> None:
    offsets = OffsetMap(2)
    assert offsets.has_room_for(10), "a single batch that is too large must not stop compaction for ever"
    offsets.put(1, keys(b"x" * 1000))
    assert not offsets.has_room_for(2)
    offsets.put(2, keys(b"x" * 999 + b"y"))
    assert len(offsets) == 2
    assert offsets.unknown([b"x" * 1000, b"x" * 999 + b"y", b"x" * 998]) == [2]
    assert list(offsets.newest().between(0, 9)) == [1, 2]


def test_its_memory_is_counted_in_what_an_entry_costs() -> None:
    assert OffsetMap.within(2000).capacity == 10


def test_only_the_newest_record_of_a_key_counts() -> None:
    offsets = OffsetMap(10)
    offsets.put(0, keys(b"a", b"b", b"a"))
    offsets.put(3, keys(b"c", b"b"))

    assert list(offsets.newest().between(0, 9)) == [2, 3, 4]
    assert list(offsets.newest().between(3, 3)) == [3]


def test_a_tombstone_is_known_as_such_until_its_key_comes_again() -> None:
    offsets = OffsetMap(10)
    offsets.put(0, keys(b"a", b"a", b"b", tombstones=(0, 1, 2)))
    offsets.put(3, keys(b"b"))

    assert list(offsets.newest_tombstones().between(0, 9)) == [1]
    assert list(offsets.newest().between(0, 9)) == [1, 3]


def test_records_without_a_key_are_nobodys_newest() -> None:
    offsets = OffsetMap(10)
    offsets.put(0, keys(None, b"a", None, tombstones=(0,)))

    assert list(offsets.newest().between(0, 9)) == [1]
    assert list(offsets.newest_tombstones().between(0, 9)) == []
    assert offsets.unknown([None, b"a", b"b"]) == [2]
