"""The fast paths of the raw client read exactly what the codec writes."""

import pytest
from benchmarks.group_commits import check_commit
from benchmarks.raw_client import RequestFailed, batch_of, fetched, produced_offset, records_that_fit

from ottla.protocol.exchange import encode_response
from ottla.protocol.generated import fetch_response, offset_commit_response, produce_response
from ottla.protocol.message import Message


def response_of(api_key: int, version: int, response: Message) -> memoryview:
    return memoryview(bytes(encode_response(7, api_key, version, response)))[4:]


def produce_response_with(code: int) -> memoryview:
    partition = produce_response.PartitionResponses(index=3, error_code=code, base_offset=42)
    topic = produce_response.Responses(name="topic", partition_responses=[partition])
    return response_of(0, 7, produce_response.ProduceResponse(responses=[topic]))


def test_a_produce_response_with_tells_its_offset() -> None:
    assert produced_offset(produce_response_with(0), "topic") == 42


def test_a_produce_that_failed_is_no_success() -> None:
    with pytest.raises(RequestFailed) as failure:
        produced_offset(produce_response_with(6), "topic")

    assert failure.value.code == 6


def fetch_response_with(records: bytes, aborted: int = 0) -> memoryview:
    partition = fetch_response.Partitions(
        high_watermark=99, records=records, aborted_transactions=[fetch_response.AbortedTransactions()] * aborted
    )
    topic = fetch_response.Responses(topic="topic", partitions=[partition])
    return response_of(1, 11, fetch_response.FetchResponse(responses=[topic]))


@pytest.mark.parametrize("aborted", [0, 2])
def test_a_fetch_response_with_tells_where_to_go_on(aborted: int) -> None:
    batch = batch_of(10, 100)

    response = fetched(fetch_response_with(batch + batch[:70], aborted), "topic", 0)

    assert (response.next_offset, response.high_watermark) == (10, 99)
    assert bytes(response.records) == batch + batch[:70]


def test_an_empty_fetch_stays_where_it_is() -> None:
    assert fetched(fetch_response_with(b""), "topic", 5).next_offset == 5


def test_a_commit_that_failed_is_no_success() -> None:
    partition = offset_commit_response.Partitions(error_code=25)
    topic = offset_commit_response.Topics(name="topic", partitions=[partition])
    response = response_of(8, 7, offset_commit_response.OffsetCommitResponse(topics=[topic]))

    with pytest.raises(RequestFailed):
        check_commit(response, "topic")


def test_batches_have_about_the_size_that_was_asked_for() -> None:
    for batch_bytes, value_bytes in ((128 * 1024, 1024), (128 * 1024, 100), (16 * 1024, 1024)):
        size = len(batch_of(records_that_fit(batch_bytes, value_bytes), value_bytes))

        assert 0.9 * batch_bytes < size < 1.1 * batch_bytes
