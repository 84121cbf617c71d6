"""DescribeLogDirs (key 35), versions 1–5.

What lies in each log directory of this broker and how much room is left. No topics named (null) = all.
v2 flexible · v3 top-level error · v4 sizes of the disk · v5 cordoned
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.steps import Steps
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.log.store.store_reports import DirectoryReport
    from ottla.protocol.generated.describe_log_dirs_request import DescribeLogDirsRequest
    from ottla.protocol.generated.describe_log_dirs_response import DescribeLogDirsResponse, Results


@handles(ApiKey.DESCRIBE_LOG_DIRS, 1, 5)
def describe_log_dirs(request: DescribeLogDirsRequest, context: Context) -> Any:
    return context.services.large_messages.in_slices(_describe(request, context), context)


def _describe(request: DescribeLogDirsRequest, context: Context) -> Steps[DescribeLogDirsResponse]:
    from ottla.protocol.generated.describe_log_dirs_response import DescribeLogDirsResponse

    wanted = None
    if request.topics is not None:
        wanted = {(topic.topic, index) for topic in request.topics for index in topic.partitions}
    services = context.services
    own = services.metadata.image.broker(services.metadata.node_id)
    cordoned = () if own is None else own.cordoned_log_dirs
    response = DescribeLogDirsResponse()
    for report in services.store.describe_directories():
        described = yield from _directory(report, wanted, cordoned)
        response.results.append(described)
    return response


def _directory(
    report: DirectoryReport, wanted: set[tuple[str, int]] | None, cordoned: tuple[bytes, ...]
) -> Steps[Results]:
    from ottla.protocol.generated.describe_log_dirs_response import Partitions, Results, Topics

    by_topic: dict[str, list[Partitions]] = {}
    for log in sorted(report.logs):
        topic, index = log.topic_partition
        if wanted is None or (topic, index) in wanted:
            row = Partitions(index, log.size_bytes, log.offset_lag, log.is_future)
            by_topic.setdefault(topic, []).append(row)
        yield
    return Results(
        error_code=ErrorCode.NONE if report.failure is None else ErrorCode.KAFKA_STORAGE_ERROR,
        log_dir=report.path,
        topics=[Topics(name=name, partitions=rows) for name, rows in by_topic.items()],
        total_bytes=report.total_bytes,
        usable_bytes=report.usable_bytes,
        is_cordoned=report.directory_id in cordoned,
    )
