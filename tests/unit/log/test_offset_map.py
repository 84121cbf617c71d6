"""The last offset of each key, in little memory."""

from ottla.log.offset_map import OffsetMap


def test_the_offset_map_tells_long_keys_apart_and_is_bounded() -> None:
    offsets = OffsetMap(2)
    assert offsets.has_room_for(1000)
    offsets.put(b"x" * 1000, 1)
    offsets.put(b"x" * 1001, 2)

    assert offsets.is_newest(b"x" * 1000, 1)
    assert not offsets.is_newest(b"x" * 1001, 1)
    assert offsets.is_newest(b"unknown", 0)
    assert len(offsets) == 2
    assert not offsets.has_room_for(1)
    assert OffsetMap.within(2000).capacity == 10
