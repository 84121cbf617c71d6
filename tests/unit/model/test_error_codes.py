from ottla.model.error_codes import TEXTS, ErrorCode


def test_every_code_has_a_sentence_of_its_own() -> None:
    assert set(TEXTS) == set(ErrorCode)
    assert len(set(TEXTS.values())) == len(TEXTS)
    assert all(text.endswith(".") for text in TEXTS.values())
