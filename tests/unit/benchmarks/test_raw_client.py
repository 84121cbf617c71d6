"""The fast paths of the raw client read exactly what the codec writes."""

import pytest
from benchmarks.family import QUICK, Load
from benchmarks.group_commits import check_commit
from benchmarks.raw_client import RequestFailed, batch_of, fetched, produced_offset, records_that_fit
from benchmarks.run import FAMILIES, main
from benchmarks.transactional_client import Identity, copied_batches

from ottla.protocol.exchange import encode_response
from ottla.protocol.generated import fetch_response, offset_commit_response, produce_response
from ottla.protocol.message import Message
from ottla.records.batch import checksum, read_header


def answer_of(api_key: int, version: int, response: Message) -> memoryview:
    return memoryview(bytes(encode_response(7, api_key, version, response)))[4:]


def produce_answer(code: int) -> memoryview:
    partition = produce_response.PartitionResponses(index=3, error_code=code, base_offset=42)
    topic = produce_response.Responses(name="topic", partition_responses=[partition])
    return answer_of(0, 7, produce_response.ProduceResponse(responses=[topic]))


def test_a_produce_answer_tells_its_offset() -> None:
    assert produced_offset(produce_answer(0), "topic") == 42


def test_a_refused_produce_is_no_success() -> None:
    with pytest.raises(RequestFailed) as failure:
        produced_offset(produce_answer(6), "topic")

    assert failure.value.code == 6


def fetch_answer(records: bytes, aborted: int = 0) -> memoryview:
    partition = fetch_response.Partitions(
        high_watermark=99, records=records, aborted_transactions=[fetch_response.AbortedTransactions()] * aborted
    )
    topic = fetch_response.Responses(topic="topic", partitions=[partition])
    return answer_of(1, 11, fetch_response.FetchResponse(responses=[topic]))


@pytest.mark.parametrize("aborted", [0, 2])
def test_a_fetch_answer_tells_where_to_go_on(aborted: int) -> None:
    batch = batch_of(10, 100)

    answer = fetched(fetch_answer(batch + batch[:70], aborted), "topic", 0)

    assert (answer.next_offset, answer.high_watermark) == (10, 99)
    assert bytes(answer.records) == batch + batch[:70]


def test_an_empty_fetch_stays_where_it_is() -> None:
    assert fetched(fetch_answer(b""), "topic", 5).next_offset == 5


def test_a_refused_commit_is_no_success() -> None:
    partition = offset_commit_response.Partitions(error_code=25)
    topic = offset_commit_response.Topics(name="topic", partitions=[partition])
    answer = answer_of(8, 7, offset_commit_response.OffsetCommitResponse(topics=[topic]))

    with pytest.raises(RequestFailed):
        check_commit(answer, "topic")


def test_batches_have_about_the_size_that_was_asked_for() -> None:
    for batch_bytes, value_bytes in ((128 * 1024, 1024), (128 * 1024, 100), (16 * 1024, 1024)):
        size = len(batch_of(records_that_fit(batch_bytes, value_bytes), value_bytes))

        assert 0.9 * batch_bytes < size < 1.1 * batch_bytes


def test_copied_batches_join_the_transaction_with_growing_sequences() -> None:
    batch = bytearray(batch_of(10, 100))
    batch[:8] = (4711).to_bytes(8, "big")

    copies = copied_batches(memoryview(batch + batch + batch[:100]), Identity(77, 3))

    headers = [read_header(copy) for copy in copies]
    assert [(one.producer_id, one.producer_epoch, one.base_sequence) for one in headers] == [(77, 3, 0), (77, 3, 10)]
    assert [one.base_offset for one in headers] == [0, 0]
    assert all(one.is_transactional for one in headers)
    assert all(checksum(copy, 0, len(copy)) == one.crc for copy, one in zip(copies, headers, strict=True))


@pytest.mark.parametrize("load", [Load(), QUICK], ids=["full", "quick"])
def test_every_row_has_a_key_of_its_own(load: Load) -> None:
    keys = [row.key for family in FAMILIES for row in family.rows(load)]

    assert len(keys) == len(set(keys)) > 40


def test_an_unknown_family_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--only", "throughput,nonsense"])

    assert "nonsense" in capsys.readouterr().err
