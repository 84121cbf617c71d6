"""Deleting topics by name or by id."""

from collections import Counter
from typing import Any, NamedTuple

from ottla.controller.topics import topic_by_name_or_id
from ottla.controller.view import ClusterView
from ottla.coordination.shard import Decision
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.steps import Steps
from ottla.model.topic import NO_TOPIC_ID
from ottla.protocol.generated.delete_topics_request import DeleteTopicsRequest
from ottla.protocol.generated.delete_topics_response import DeleteTopicsResponse
from ottla.protocol.generated.delete_topics_response import Responses as TopicResult
from ottla.protocol.generated.remove_topic_record import RemoveTopicRecord

#: Before this version there was no error code for disabled deletion.
_VERSION_WITH_DELETION_DISABLED = 3


class _Wanted(NamedTuple):
    name: str | None
    topic_id: bytes


def delete_topics(
    view: ClusterView, request: DeleteTopicsRequest, version: int
) -> Steps[Decision[DeleteTopicsResponse]]:
    """Requests before version 6 carry names only (`topic_names`)."""
    wanted = [_Wanted(name, NO_TOPIC_ID) for name in request.topic_names]
    wanted += [_Wanted(topic.name, topic.topic_id) for topic in request.topics]
    counts = Counter(wanted)
    ids = Counter(_id_of(view, each) for each in counts)
    records: list[Any] = []
    results: list[TopicResult] = []
    for each in counts:
        yield
        try:
            _check_request(view, each, counts[each], version)
            topic = topic_by_name_or_id(view, each.name, each.topic_id)
            if ids[topic.topic_id] > 1:
                if each.name is None:
                    # The entry that names the topic carries the refusal for both.
                    continue
                each = _Wanted(topic.name, topic.topic_id)
                message = "The provided topic name maps to an ID that was already supplied."
                raise Refused(ErrorCode.INVALID_REQUEST, message)
            records.append(RemoveTopicRecord(topic_id=topic.topic_id))
            results.append(TopicResult(name=topic.name, topic_id=topic.topic_id))
        except Refused as refusal:
            results.append(_refused(each, refusal))
    return Decision(DeleteTopicsResponse(responses=results), records)


def _id_of(view: ClusterView, wanted: _Wanted) -> bytes:
    topic = None if wanted.name is None else view.image.topic(wanted.name)
    return wanted.topic_id if topic is None else topic.topic_id


def _check_request(view: ClusterView, wanted: _Wanted, count: int, version: int) -> None:
    has_id = wanted.topic_id != NO_TOPIC_ID
    if not view.layers.options.delete_topic_enable:
        disabled = ErrorCode.TOPIC_DELETION_DISABLED
        raise Refused(disabled if version >= _VERSION_WITH_DELETION_DISABLED else ErrorCode.INVALID_REQUEST)
    if wanted.name is None and not has_id:
        raise Refused(ErrorCode.INVALID_REQUEST, "Neither topic name nor id were specified.")
    if wanted.name is not None and has_id:
        raise Refused(ErrorCode.INVALID_REQUEST, "You may not specify both topic name and topic id.")
    if count > 1:
        raise Refused(ErrorCode.INVALID_REQUEST, f"Duplicate topic {'id' if wanted.name is None else 'name'}.")


def _refused(wanted: _Wanted, refusal: Refused) -> TopicResult:
    return TopicResult(
        name=wanted.name, topic_id=wanted.topic_id, error_code=refusal.code, error_message=refusal.message
    )
