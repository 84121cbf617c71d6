"""What a follower knows of what is committed: never more than its leader says, nor than it has."""

from ottla.replication.partition_follower import PartitionFollower
from tests.support.log_builders import append, new_log
from tests.support.memory_disk import MemoryDisk


def test_the_high_watermark_follows_the_leader_up_to_the_end_of_the_log() -> None:
    log = new_log(MemoryDisk())
    follower = PartitionFollower(log, leader_epoch=3, leader_id=2)
    append(log)
    append(log)

    follower.learn_high_watermark(1)
    assert follower.high_watermark == 1
    follower.learn_high_watermark(7)
    assert follower.high_watermark == 2
    follower.learn_high_watermark(1)
    assert follower.high_watermark == 2, "a late message takes nothing back"
