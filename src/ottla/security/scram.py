"""SCRAM-SHA-256 and SCRAM-SHA-512 (RFC 5802, RFC 7677), the client's side, without I/O.

The broker must prove that it knows the password as well: its signature is checked. The iteration count is bounded, so
that a broker cannot keep a client busy for long.
"""

import base64
import binascii
import hashlib
import hmac
from typing import Final

from ottla.security.sasl import LoginFailed

MIN_ITERATIONS: Final = 4096
MAX_ITERATIONS: Final = 1_000_000
_HASHES: Final = {"SCRAM-SHA-256": "sha256", "SCRAM-SHA-512": "sha512"}
_NO_CHANNEL_BINDING: Final = "n,,"


class ScramExchange:
    """`nonce` are random bytes, fresh for each exchange."""

    def __init__(self, mechanism: str, username: str, password: str, nonce: bytes) -> None:
        self.mechanism = mechanism
        self._hash = _HASHES[mechanism]
        self._password = password.encode()
        self._nonce = base64.b64encode(nonce).decode()
        self._first_bare = f"n={_escaped(username)},r={self._nonce}"
        self._server_signature: bytes | None = None
        self._is_complete = False

    def first_message(self) -> bytes:
        return (_NO_CHANNEL_BINDING + self._first_bare).encode()

    def next_message(self, challenge: bytes) -> bytes | None:
        if self._server_signature is None:
            return self._final_message(challenge)
        if self._is_complete:
            raise LoginFailed("the broker continues after the end of the SCRAM exchange")
        self._check_signature(challenge)
        self._is_complete = True
        return None

    def _final_message(self, challenge: bytes) -> bytes:
        text = _text(challenge)
        fields = _fields(text)
        nonce, salt, iterations = fields.get("r", ""), _decoded(fields.get("s", "")), _number(fields.get("i", ""))
        if "m" in fields:
            raise LoginFailed("the broker asks for a SCRAM extension that is not supported")
        if not nonce.startswith(self._nonce) or len(nonce) == len(self._nonce):
            raise LoginFailed("the broker's nonce does not extend ours")
        if not salt or not MIN_ITERATIONS <= iterations <= MAX_ITERATIONS:
            raise LoginFailed(
                f"the broker asks for {iterations} SCRAM iterations; {MIN_ITERATIONS} to {MAX_ITERATIONS} are accepted"
            )
        salted = hashlib.pbkdf2_hmac(self._hash, self._password, salt, iterations)
        client_key = self._hmac(salted, b"Client Key")
        stored_key = hashlib.new(self._hash, client_key).digest()
        without_proof = f"c={_encoded(_NO_CHANNEL_BINDING.encode())},r={nonce}"
        signed = f"{self._first_bare},{text},{without_proof}".encode()
        proof = bytes(a ^ b for a, b in zip(client_key, self._hmac(stored_key, signed), strict=True))
        self._server_signature = self._hmac(self._hmac(salted, b"Server Key"), signed)
        return f"{without_proof},p={_encoded(proof)}".encode()

    def _check_signature(self, challenge: bytes) -> None:
        fields = _fields(_text(challenge))
        if "e" in fields:
            raise LoginFailed(f"the broker refused the login: {fields['e']}")
        if not hmac.compare_digest(_decoded(fields.get("v", "")), self._server_signature or b""):
            raise LoginFailed("the broker's signature is wrong: it does not know the password")

    def _hmac(self, key: bytes, message: bytes) -> bytes:
        return hmac.digest(key, message, self._hash)


def _escaped(name: str) -> str:
    return name.replace("=", "=3D").replace(",", "=2C")


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise LoginFailed("a SCRAM message has a field that is not base64") from error


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else -1


def _text(message: bytes) -> str:
    try:
        return message.decode()
    except UnicodeDecodeError as error:
        raise LoginFailed("a SCRAM message is not UTF-8") from error


def _fields(text: str) -> dict[str, str]:
    found = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if not equals:
            raise LoginFailed("a SCRAM message has a field without a value")
        found[name] = value
    return found
