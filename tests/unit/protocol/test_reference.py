from ottla.protocol.reference import apis_markdown


def test_every_api_has_a_row() -> None:
    rows = apis_markdown().splitlines()

    assert sum(row.startswith("| ") for row in rows) == 89 + 1
    assert "| 0 | Produce | 3-13 | 9 | broker |" in rows
    assert "| 22 | InitProducerId | 0-5 (6 unstable) | 2 | broker |" in rows
    assert "| 47 | OffsetDelete | 0 | never | broker |" in rows
