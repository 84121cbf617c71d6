"""StreamsGroupHeartbeat response (key 88), versions 0-0, flexible from 0.

Generated from schemas/streams_group_heartbeat.txt by ottla.protocol.generator; do not edit.
"""

from __future__ import annotations

from struct import Struct as _Struct
from typing import Any

from ottla.protocol.message import FRESH, Message, Struct
from ottla.protocol.wire import longer, longer_string, put_numbers, put_string_length, put_uvarint, read_numbers, skip_tags, wrong_count, wrong_length

_u_ihB = _Struct(">ihB").unpack_from
_u_iiiiB = _Struct(">iiiiB").unpack_from
_u_bB = _Struct(">bB").unpack_from
_u_iB = _Struct(">iB").unpack_from
_u_HB = _Struct(">HB").unpack_from
_p_ih = _Struct(">ih").pack
_p_iiii = _Struct(">iiii").pack
_p_b = _Struct(">b").pack
_p_i = _Struct(">i").pack
_p_Hx = _Struct(">Hx").pack


class Status(Struct):
    __slots__ = ("status_code", "status_detail")

    def __init__(
        self,
        status_code: int = 0,
        status_detail: str = '',
    ) -> None:
        self.status_code = status_code
        self.status_detail = status_detail


class ActiveTasks(Struct):
    __slots__ = ("subtopology_id", "partitions")

    def __init__(
        self,
        subtopology_id: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is FRESH else partitions


class StandbyTasks(Struct):
    __slots__ = ("subtopology_id", "partitions")

    def __init__(
        self,
        subtopology_id: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is FRESH else partitions


class WarmupTasks(Struct):
    __slots__ = ("subtopology_id", "partitions")

    def __init__(
        self,
        subtopology_id: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions = [] if partitions is FRESH else partitions


class UserEndpoint(Struct):
    __slots__ = ("host", "port")

    def __init__(
        self,
        host: str = '',
        port: int = 0,
    ) -> None:
        self.host = host
        self.port = port


class ActivePartitions(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is FRESH else partitions


class StandbyPartitions(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: str = '',
        partitions: list[int] = FRESH,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is FRESH else partitions


class PartitionsByUserEndpoint(Struct):
    __slots__ = ("user_endpoint", "active_partitions", "standby_partitions")

    def __init__(
        self,
        user_endpoint: UserEndpoint = FRESH,
        active_partitions: list[ActivePartitions] = FRESH,
        standby_partitions: list[StandbyPartitions] = FRESH,
    ) -> None:
        self.user_endpoint = UserEndpoint() if user_endpoint is FRESH else user_endpoint
        self.active_partitions = [] if active_partitions is FRESH else active_partitions
        self.standby_partitions = [] if standby_partitions is FRESH else standby_partitions


class StreamsGroupHeartbeatResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "member_id", "member_epoch", "heartbeat_interval_ms", "acceptable_recovery_lag", "task_offset_interval_ms", "status", "active_tasks", "standby_tasks", "warmup_tasks", "endpoint_information_epoch", "partitions_by_user_endpoint")
    API_KEY = 88
    MIN_VERSION = 0
    MAX_VERSION = 0
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        member_id: str = '',
        member_epoch: int = 0,
        heartbeat_interval_ms: int = 0,
        acceptable_recovery_lag: int = 0,
        task_offset_interval_ms: int = 0,
        status: list[Status] | None = FRESH,
        active_tasks: list[ActiveTasks] | None = None,
        standby_tasks: list[StandbyTasks] | None = None,
        warmup_tasks: list[WarmupTasks] | None = None,
        endpoint_information_epoch: int = 0,
        partitions_by_user_endpoint: list[PartitionsByUserEndpoint] | None = None,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.heartbeat_interval_ms = heartbeat_interval_ms
        self.acceptable_recovery_lag = acceptable_recovery_lag
        self.task_offset_interval_ms = task_offset_interval_ms
        self.status = [] if status is FRESH else status
        self.active_tasks = active_tasks
        self.standby_tasks = standby_tasks
        self.warmup_tasks = warmup_tasks
        self.endpoint_information_epoch = endpoint_information_epoch
        self.partitions_by_user_endpoint = partitions_by_user_endpoint


def _read_0(data: memoryview, p: int, end: int, left: list[int]) -> tuple[StreamsGroupHeartbeatResponse, int]:
    throttle_time_ms_1, error_code_1, n = _u_ihB(data, p)
    p += 7
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    if n == -1:
        error_message_1 = None
    else:
        q = p + n
        if n < 0 or q > end:
            raise wrong_length("error_message", n, end - p)
        error_message_1 = data[p:q].tobytes().decode()
        p = q
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer_string(data, p, n)
    n -= 1
    q = p + n
    if n < 0 or q > end:
        raise wrong_length("member_id", n, end - p)
    member_id_1 = data[p:q].tobytes().decode()
    p = q
    member_epoch_1, heartbeat_interval_ms_1, acceptable_recovery_lag_1, task_offset_interval_ms_1, n = _u_iiiiB(data, p)
    p += 17
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    status_1: list[Status] | None = None
    if n != -1:
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("status", n, end - p, left)
        left[0] -= n
        status_1 = []
        for _ in range(n):
            status_code_2, n = _u_bB(data, p)
            p += 2
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("status_detail", n, end - p)
            status_detail_2 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            status_1.append(Status(status_code_2, status_detail_2))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    active_tasks_1: list[ActiveTasks] | None = None
    if n != -1:
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("active_tasks", n, end - p, left)
        left[0] -= n
        active_tasks_1 = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("subtopology_id", n, end - p)
            subtopology_id_3 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("partitions", n, end - p, left)
            left[0] -= n
            partitions_3, p = read_numbers("i", 4, data, p, n)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            active_tasks_1.append(ActiveTasks(subtopology_id_3, partitions_3))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    standby_tasks_1: list[StandbyTasks] | None = None
    if n != -1:
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("standby_tasks", n, end - p, left)
        left[0] -= n
        standby_tasks_1 = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("subtopology_id", n, end - p)
            subtopology_id_4 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("partitions", n, end - p, left)
            left[0] -= n
            partitions_4, p = read_numbers("i", 4, data, p, n)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            standby_tasks_1.append(StandbyTasks(subtopology_id_4, partitions_4))
    n = data[p]
    p += 1
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    warmup_tasks_1: list[WarmupTasks] | None = None
    if n != -1:
        if n < 0 or n * 3 > end - p or n > left[0]:
            raise wrong_count("warmup_tasks", n, end - p, left)
        left[0] -= n
        warmup_tasks_1 = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("subtopology_id", n, end - p)
            subtopology_id_5 = data[p:q].tobytes().decode()
            p = q
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 4 > end - p or n > left[0]:
                raise wrong_count("partitions", n, end - p, left)
            left[0] -= n
            partitions_5, p = read_numbers("i", 4, data, p, n)
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            warmup_tasks_1.append(WarmupTasks(subtopology_id_5, partitions_5))
    endpoint_information_epoch_1, n = _u_iB(data, p)
    p += 5
    if n > 127:
        n, p = longer(data, p, n)
    n -= 1
    partitions_by_user_endpoint_1: list[PartitionsByUserEndpoint] | None = None
    if n != -1:
        if n < 0 or n * 7 > end - p or n > left[0]:
            raise wrong_count("partitions_by_user_endpoint", n, end - p, left)
        left[0] -= n
        partitions_by_user_endpoint_1 = []
        for _ in range(n):
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer_string(data, p, n)
            n -= 1
            q = p + n
            if n < 0 or q > end:
                raise wrong_length("host", n, end - p)
            host_7 = data[p:q].tobytes().decode()
            p = q
            port_7, n = _u_HB(data, p)
            p += 3
            if n:
                p = skip_tags(data, p - 1, end)
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 3 > end - p or n > left[0]:
                raise wrong_count("active_partitions", n, end - p, left)
            left[0] -= n
            active_partitions_6: list[ActivePartitions] = []
            for _ in range(n):
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("topic", n, end - p)
                topic_8 = data[p:q].tobytes().decode()
                p = q
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 4 > end - p or n > left[0]:
                    raise wrong_count("partitions", n, end - p, left)
                left[0] -= n
                partitions_8, p = read_numbers("i", 4, data, p, n)
                n = data[p]
                p += 1
                if n:
                    p = skip_tags(data, p - 1, end)
                active_partitions_6.append(ActivePartitions(topic_8, partitions_8))
            n = data[p]
            p += 1
            if n > 127:
                n, p = longer(data, p, n)
            n -= 1
            if n < 0 or n * 3 > end - p or n > left[0]:
                raise wrong_count("standby_partitions", n, end - p, left)
            left[0] -= n
            standby_partitions_6: list[StandbyPartitions] = []
            for _ in range(n):
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer_string(data, p, n)
                n -= 1
                q = p + n
                if n < 0 or q > end:
                    raise wrong_length("topic", n, end - p)
                topic_9 = data[p:q].tobytes().decode()
                p = q
                n = data[p]
                p += 1
                if n > 127:
                    n, p = longer(data, p, n)
                n -= 1
                if n < 0 or n * 4 > end - p or n > left[0]:
                    raise wrong_count("partitions", n, end - p, left)
                left[0] -= n
                partitions_9, p = read_numbers("i", 4, data, p, n)
                n = data[p]
                p += 1
                if n:
                    p = skip_tags(data, p - 1, end)
                standby_partitions_6.append(StandbyPartitions(topic_9, partitions_9))
            n = data[p]
            p += 1
            if n:
                p = skip_tags(data, p - 1, end)
            partitions_by_user_endpoint_1.append(PartitionsByUserEndpoint(UserEndpoint(host_7, port_7), active_partitions_6, standby_partitions_6))
    n = data[p]
    p += 1
    if n:
        p = skip_tags(data, p - 1, end)
    return StreamsGroupHeartbeatResponse(throttle_time_ms_1, error_code_1, error_message_1, member_id_1, member_epoch_1, heartbeat_interval_ms_1, acceptable_recovery_lag_1, task_offset_interval_ms_1, status_1, active_tasks_1, standby_tasks_1, warmup_tasks_1, endpoint_information_epoch_1, partitions_by_user_endpoint_1), p


def _write_0(m: Any, out: bytearray) -> None:
    out += _p_ih(m.throttle_time_ms, m.error_code)
    if m.error_message is None:
        out.append(0)
    else:
        b = m.error_message.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
    b = m.member_id.encode()
    n = len(b) + 1
    if n < 128:
        out.append(n)
    else:
        put_string_length(out, n)
    out += b
    items_1 = m.status
    out += _p_iiii(m.member_epoch, m.heartbeat_interval_ms, m.acceptable_recovery_lag, m.task_offset_interval_ms)
    n = 0 if items_1 is None else len(items_1) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_1 in items_1 or ():
        out += _p_b(e_1.status_code)
        b = e_1.status_detail.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        out.append(0)
    items_2 = m.active_tasks
    n = 0 if items_2 is None else len(items_2) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_2 in items_2 or ():
        b = e_2.subtopology_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_3 = e_2.partitions
        n = len(items_3) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_3:
            put_numbers(out, "i", items_3)
        out.append(0)
    items_4 = m.standby_tasks
    n = 0 if items_4 is None else len(items_4) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_4 in items_4 or ():
        b = e_4.subtopology_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_5 = e_4.partitions
        n = len(items_5) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_5:
            put_numbers(out, "i", items_5)
        out.append(0)
    items_6 = m.warmup_tasks
    n = 0 if items_6 is None else len(items_6) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_6 in items_6 or ():
        b = e_6.subtopology_id.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_7 = e_6.partitions
        n = len(items_7) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        if items_7:
            put_numbers(out, "i", items_7)
        out.append(0)
    items_8 = m.partitions_by_user_endpoint
    out += _p_i(m.endpoint_information_epoch)
    n = 0 if items_8 is None else len(items_8) + 1
    if n < 128:
        out.append(n)
    else:
        put_uvarint(out, n)
    for e_8 in items_8 or ():
        b = e_8.user_endpoint.host.encode()
        n = len(b) + 1
        if n < 128:
            out.append(n)
        else:
            put_string_length(out, n)
        out += b
        items_9 = e_8.active_partitions
        out += _p_Hx(e_8.user_endpoint.port)
        n = len(items_9) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_9 in items_9:
            b = e_9.topic.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            items_10 = e_9.partitions
            n = len(items_10) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            if items_10:
                put_numbers(out, "i", items_10)
            out.append(0)
        items_11 = e_8.standby_partitions
        n = len(items_11) + 1
        if n < 128:
            out.append(n)
        else:
            put_uvarint(out, n)
        for e_11 in items_11:
            b = e_11.topic.encode()
            n = len(b) + 1
            if n < 128:
                out.append(n)
            else:
                put_string_length(out, n)
            out += b
            items_12 = e_11.partitions
            n = len(items_12) + 1
            if n < 128:
                out.append(n)
            else:
                put_uvarint(out, n)
            if items_12:
                put_numbers(out, "i", items_12)
            out.append(0)
        out.append(0)
    out.append(0)


StreamsGroupHeartbeatResponse._READERS = {0: _read_0}
StreamsGroupHeartbeatResponse._WRITERS = {0: _write_0}
