"""Background work that must not take the whole disk."""

from pathlib import Path

from ottla.runtime.disk import OsDisk, PacedDisk
from ottla.runtime.pace import Pace


class Watch:
    """A clock that sleeping moves."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.slept_s = 0.0

    def now(self) -> float:
        return self.now_s

    def sleep(self, span_s: float) -> None:
        self.now_s += span_s
        self.slept_s += span_s

    def pace(self, bytes_per_second: float) -> Pace:
        return Pace(bytes_per_second, now=self.now, sleep=self.sleep)


def test_reading_and_writing_together_take_as_long_as_they_must(tmp_path: Path) -> None:
    watch = Watch()
    disk = PacedDisk(watch.pace(1000))
    file = disk.open(str(tmp_path / "file"), create=True)

    for position in range(0, 5000, 100):
        file.write_at(position, bytes(100))
    assert file.read_at(0, 10_000) == bytes(5000)
    file.close()

    assert round(watch.slept_s, 3) == 10.0
    assert (tmp_path / "file").stat().st_size == 5000


def test_time_without_work_is_not_made_up_for() -> None:
    watch = Watch()
    pace = watch.pace(1000)
    watch.now_s += 3600

    pace.spend(2000)

    assert watch.slept_s == 2.0


def test_small_pieces_are_saved_up_to_one_wait() -> None:
    watch = Watch()
    pace = watch.pace(1_000_000)
    for _ in range(100):
        pace.spend(1000)

    assert round(watch.slept_s, 3) >= 0.09


def test_a_disk_gives_a_paced_one() -> None:
    assert isinstance(OsDisk().paced(5), PacedDisk)
