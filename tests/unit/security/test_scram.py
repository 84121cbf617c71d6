"""SCRAM against the examples of the RFCs, and against brokers that do not play fair."""

import base64

import pytest

from ottla.security.sasl import LoginFailed, PlainExchange
from ottla.security.scram import ScramExchange

#: RFC 7677, section 3.
NONCE = base64.b64decode("rOprNGfwEbeRWgbNEkqO")
SERVER_FIRST = b"r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
CLIENT_FINAL = (
    b"c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
)
SERVER_FINAL = b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="


def exchange() -> ScramExchange:
    return ScramExchange("SCRAM-SHA-256", "user", "pencil", NONCE)


def test_the_example_of_the_rfc() -> None:
    scram = exchange()

    assert scram.first_message() == b"n,,n=user,r=rOprNGfwEbeRWgbNEkqO"
    assert scram.next_message(SERVER_FIRST) == CLIENT_FINAL
    assert scram.next_message(SERVER_FINAL) is None


def test_commas_and_equals_signs_in_names_are_escaped() -> None:
    assert b"n=a=2Cb=3Dc," in ScramExchange("SCRAM-SHA-512", "a,b=c", "x", NONCE).first_message()


@pytest.mark.parametrize(
    ("challenge", "reason"),
    [
        (b"r=other,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096", "nonce"),
        (b"r=rOprNGfwEbeRWgbNEkqO,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096", "nonce"),
        (SERVER_FIRST.replace(b"i=4096", b"i=4095"), "4095 SCRAM iterations"),
        (SERVER_FIRST.replace(b"i=4096", b"i=1000001"), "1000001 SCRAM iterations"),
        (SERVER_FIRST.replace(b"i=4096", b"i=many"), "iterations"),
        (SERVER_FIRST.replace(b"s=W22", b"s=!!!"), "base64"),
        (b"m=ext," + SERVER_FIRST, "extension"),
        (b"\xff\xfe", "UTF-8"),
        (b"nonsense", "without a value"),
    ],
)
def test_a_challenge_that_cannot_be_is_refused(challenge: bytes, reason: str) -> None:
    with pytest.raises(LoginFailed, match=reason):
        exchange().next_message(challenge)


@pytest.mark.parametrize("final", [b"v=AAAA", b"v=", b"e=invalid-proof", SERVER_FINAL.replace(b"6rri", b"7rri")])
def test_a_broker_without_the_password_is_refused(final: bytes) -> None:
    scram = exchange()
    scram.next_message(SERVER_FIRST)

    with pytest.raises(LoginFailed):
        scram.next_message(final)


def test_nothing_follows_the_end() -> None:
    scram = exchange()
    scram.next_message(SERVER_FIRST)
    scram.next_message(SERVER_FINAL)

    with pytest.raises(LoginFailed, match="after the end"):
        scram.next_message(SERVER_FINAL)


def test_plain_sends_name_and_password() -> None:
    plain = PlainExchange("user", "secret")

    assert plain.first_message() == b"\0user\0secret"
    assert plain.next_message(b"") is None
