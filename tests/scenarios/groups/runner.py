"""Runs a scenario: commands, `----`, what everybody gets to know. Blocks are separated by blank lines, # is a comment.

settings NAME=VALUE ...       before anything else
join WHO [instance=I] [session=10s] [rebalance=60s] [protocols=range,sticky] [version=9] [new]
sync WHO [MEMBER=BYTES ...]
heartbeat WHO | leave WHO ... | commit WHO OFFSET | time 10s | restart | group
beat WHO [TOPIC ...] [owned=TOPIC:0,1] [epoch=N] [instance=I] [rebalance=60s]      (consumer protocol)
stepdown WHO [epoch=-2]
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated.consumer_group_heartbeat_response import TopicPartitions
from ottla.protocol.generated.join_group_response import JoinGroupResponse
from ottla.protocol.generated.sync_group_response import SyncGroupResponse
from tests.support.group_host import Pending
from tests.support.group_topics import a_topic
from tests.support.groups import GroupTest

TOPICS = [a_topic("orders", 4), a_topic("payments", 2)]


def duration_ms(text: str) -> int:
    match = re.fullmatch(r"(\d+)(ms|s|m|h|d)", text)
    assert match is not None, text
    number, unit = match.groups()
    return int(number) * {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}[unit]


class Scenario:
    """One file. `run` gives the text as it should read: the same commands with what really happened."""

    def __init__(self) -> None:
        self._groups: GroupTest | None = None
        self._settings: dict[str, Any] = {}
        self._output: list[str] = []
        self._owners: dict[int, str] = {}

    @property
    def groups(self) -> GroupTest:
        if self._groups is None:
            self._groups = GroupTest(topics=TOPICS, **self._settings)
            self._groups.on_answer = self._answered
        return self._groups

    def run(self, text: str) -> str:
        blocks = []
        for block in text.strip().split("\n\n"):
            commands = block.split("----\n")[0].rstrip("\n").removesuffix("----").rstrip("\n")
            self._output = []
            for line in commands.splitlines():
                if line.strip() and not line.startswith("#"):
                    self._command(line.split("#")[0].split())
            has_commands = any(line.strip() and not line.startswith("#") for line in commands.splitlines())
            blocks.append("\n".join([commands, "----", *self._output]) if has_commands else commands)
        self.groups.check_invariants()
        return "\n\n".join(blocks) + "\n"

    def _command(self, words: list[str]) -> None:
        action: Callable[[list[str]], None] = getattr(self, f"_do_{words[0]}")
        action(words[1:])

    def _say(self, who: str, what: str) -> None:
        self._output.append(f"{who}: {what}")

    # -- commands

    def _do_settings(self, words: list[str]) -> None:
        self._settings = {name: int(value) for name, value in (word.split("=") for word in words)}

    def _do_join(self, words: list[str]) -> None:
        name, options = words[0], dict(word.split("=") for word in words[1:] if "=" in word)
        protocols = options.get("protocols", "range").split(",")
        pending = self.groups.join(
            name,
            instance_id=options.get("instance"),
            session_timeout_ms=duration_ms(options.get("session", "10s")),
            rebalance_timeout_ms=duration_ms(options.get("rebalance", "60s")),
            protocols=[(each, b"") for each in protocols],
            version=int(options.get("version", "9")),
            as_new="new" in words,
        )
        self._note(name, pending)

    def _do_sync(self, words: list[str]) -> None:
        assignments = {name: data.encode() for name, data in (word.split("=") for word in words[1:])}
        self._note(words[0], self.groups.sync(words[0], assignments))

    def _note(self, name: str, pending: Pending) -> None:
        self._owners[id(pending)] = name
        if pending.response is None:
            self._say(name, "waits")
        else:
            self._answered(pending)

    def _answered(self, pending: Pending) -> None:
        name = self._owners.get(id(pending))
        if name is None:
            # Answered before the command that asked has come back: it will note the answer itself.
            return
        response = pending.response
        if response.error_code != ErrorCode.NONE:
            self._say(name, ErrorCode(response.error_code).name)
        elif isinstance(response, JoinGroupResponse):
            self.groups.person(name).member_id = response.member_id
            self.groups.person(name).generation = response.generation_id
            self._say(name, self._joined(response))
        elif isinstance(response, SyncGroupResponse):
            self._say(name, f"has {response.assignment.decode() or 'nothing'}")

    def _joined(self, response: JoinGroupResponse) -> str:
        text = f"generation {response.generation_id}, {response.protocol_name}"
        if response.members:
            text += f", leads {len(response.members)}"
        return text + (", need not assign" if response.skip_assignment else "")

    def _do_heartbeat(self, words: list[str]) -> None:
        self._say(words[0], self.groups.heartbeat(words[0]).name)

    def _do_leave(self, words: list[str]) -> None:
        codes = self.groups.leave(*words)
        for name, code in zip(words, codes, strict=True):
            self._say(name, f"left, {code.name}")

    def _do_commit(self, words: list[str]) -> None:
        self._say(words[0], self.groups.commit(words[0], int(words[1])).name)

    def _do_time(self, words: list[str]) -> None:
        self.groups.time_passes(duration_ms(words[0]))

    def _do_restart(self, words: list[str]) -> None:
        self.groups.restart()

    def _do_group(self, words: list[str]) -> None:
        group = self.groups.consumer_group()
        if group.error_code == ErrorCode.NONE:
            self._say("group", f"{group.group_state}, epoch {group.group_epoch}, {len(group.members)} members")
        else:
            self._say("group", f"{self.groups.state}, {len(self.groups.describe().members)} members")

    def _do_beat(self, words: list[str]) -> None:
        name, options = words[0], dict(word.split("=", 1) for word in words[1:] if "=" in word)
        topics = [word for word in words[1:] if "=" not in word]
        fields: dict[str, Any] = {}
        if "owned" in options:
            parts = (part.split(":") for part in options["owned"].split("/") if part)
            fields["owned"] = {topic: [int(each) for each in found.split(",") if each] for topic, found in parts}
        if "epoch" in options:
            fields["epoch"] = int(options["epoch"])
        if "instance" in options:
            fields["instance_id"] = options["instance"]
        if "rebalance" in options:
            fields["rebalance_timeout_ms"] = duration_ms(options["rebalance"])
        response = self.groups.beat(name, *topics, **fields)
        if response.error_code != ErrorCode.NONE:
            self._say(name, ErrorCode(response.error_code).name)
            return
        told = "" if response.assignment is None else f", has {self._shown(response.assignment.topic_partitions)}"
        self._say(name, f"epoch {response.member_epoch}{told}")

    def _shown(self, assigned: Iterable[TopicPartitions]) -> str:
        by_id = self.groups.topics.by_id
        parts = [
            f"{topic.name}:{','.join(map(str, entry.partitions))}"
            for entry in assigned
            if (topic := by_id(entry.topic_id)) is not None
        ]
        return " ".join(sorted(parts)) or "nothing"

    def _do_stepdown(self, words: list[str]) -> None:
        epoch = int(words[1].removeprefix("epoch=")) if len(words) > 1 else -1
        self._say(words[0], f"left, {self.groups.steps_down(words[0], epoch=epoch).name}")
