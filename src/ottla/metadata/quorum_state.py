"""`quorum-state`: what a voter must not forget: the epoch, whom it follows, whom it voted for.

One JSON object. `data_version` 0 belongs to static voters (kraft.version 0), 1 to dynamic ones (kraft.version 1). It is
on the disk before any peer sees it: a voter that forgets its vote can elect two leaders.
"""

import json
from typing import Any, NamedTuple

from ottla.doors.disk import Disk
from ottla.model.errors import CorruptLog
from ottla.model.topic import NO_TOPIC_ID, id_from_text, id_text

FILE_NAME = "quorum-state"
NOBODY = -1


class QuorumState(NamedTuple):
    leader_id: int = NOBODY
    leader_epoch: int = 0
    voted_id: int = NOBODY
    voted_directory_id: bytes = NO_TOPIC_ID
    data_version: int = 0
    #: Only in data_version 0, as are the voters.
    cluster_id: str = ""
    voter_ids: tuple[int, ...] = ()


def format_state(state: QuorumState) -> str:
    fields: dict[str, Any]
    if state.data_version == 0:
        fields = {
            "clusterId": state.cluster_id,
            "leaderId": state.leader_id,
            "leaderEpoch": state.leader_epoch,
            "votedId": state.voted_id,
            "appliedOffset": 0,
            "currentVoters": [{"voterId": voter_id} for voter_id in state.voter_ids],
            "data_version": 0,
        }
    else:
        fields = {
            "leaderId": state.leader_id,
            "leaderEpoch": state.leader_epoch,
            "votedId": state.voted_id,
            "votedDirectoryId": id_text(state.voted_directory_id),
            "data_version": 1,
        }
    return json.dumps(fields, separators=(",", ":"))


def parse_state(text: str, path: str = FILE_NAME) -> QuorumState:
    """Raises CorruptLog: to guess an epoch or a vote would be unsafe."""
    try:
        fields = json.loads(text)
        data_version = int(fields["data_version"])
        if data_version not in (0, 1):
            raise CorruptLog(path, 0, f"unknown data_version {data_version}")
        return QuorumState(
            leader_id=int(fields["leaderId"]),
            leader_epoch=int(fields["leaderEpoch"]),
            voted_id=int(fields["votedId"]),
            voted_directory_id=id_from_text(fields["votedDirectoryId"])
            if "votedDirectoryId" in fields
            else NO_TOPIC_ID,
            data_version=data_version,
            cluster_id=str(fields.get("clusterId") or ""),
            voter_ids=tuple(int(voter["voterId"]) for voter in fields.get("currentVoters") or ()),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorruptLog(path, 0, f"not a quorum state: {error}") from error


def read(disk: Disk, directory: str) -> QuorumState | None:
    path = f"{directory}/{FILE_NAME}"
    if not disk.exists(path):
        return None
    file = disk.open(path, read_only=True)
    try:
        return parse_state(file.read_at(0, file.size()).decode("utf-8", "replace"), path)
    finally:
        file.close()


def write(disk: Disk, directory: str, state: QuorumState) -> None:
    """Durable when it returns."""
    path = f"{directory}/{FILE_NAME}"
    beside = f"{path}.tmp"
    if disk.exists(beside):
        disk.remove(beside)
    file = disk.open(beside, create=True)
    try:
        file.write_at(0, format_state(state).encode())
        file.sync()
    finally:
        file.close()
    disk.rename(beside, path)
    disk.sync_directory(directory)
