"""Users and clients: SCRAM credentials and quotas."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from ottla.client.admin.call import Call, raise_failures
from ottla.client.errors import raise_for
from ottla.protocol.generated import (
    alter_client_quotas_request,
    alter_user_scram_credentials_request,
    describe_client_quotas_request,
    describe_user_scram_credentials_request,
)

MECHANISMS = {1: "SCRAM-SHA-256", 2: "SCRAM-SHA-512"}
_HASHES = {"SCRAM-SHA-256": "sha256", "SCRAM-SHA-512": "sha512"}
_NUMBERS = {name: number for number, name in MECHANISMS.items()}
_SALT_BYTES = 24
_EXACT, _DEFAULT, _ANY = 0, 1, 2

#: Whom a quota is for: user, client-id or ip with a name; None means the default of all that have none of their own.
QuotaEntity: TypeAlias = tuple[tuple[str, str | None], ...]


class ScramCredential(NamedTuple):
    """From `admin.describe_user_scram_credentials()`; never the password.

    >>> credential = ScramCredential("SCRAM-SHA-512", iterations=8192)
    >>> credential.mechanism
    'SCRAM-SHA-512'
    """

    mechanism: str
    iterations: int


async def describe_user_scram_credentials(call: Call, users: Sequence[str] | None) -> dict[str, list[ScramCredential]]:
    module = describe_user_scram_credentials_request
    request = module.DescribeUserScramCredentialsRequest(
        None if users is None else [module.Users(name) for name in users]
    )

    def read(response: Any) -> dict[str, list[ScramCredential]]:
        raise_for(response.error_code, response.error_message)
        raise_failures({row.user: (row.error_code, row.error_message) for row in response.results})
        return {
            row.user: [
                ScramCredential(MECHANISMS.get(info.mechanism, "unknown"), info.iterations)
                for info in row.credential_infos
            ]
            for row in response.results
        }

    return await call.any_node(request, read)


async def set_scram_credential(
    call: Call, user: str, password: str, *, mechanism: str, iterations: int, salt: bytes
) -> None:
    """The password itself is not sent: only what SCRAM keeps of it."""
    salted = hashlib.pbkdf2_hmac(_HASHES[mechanism], password.encode(), salt, iterations)
    module = alter_user_scram_credentials_request
    upsertion = module.Upsertions(user, _NUMBERS[mechanism], iterations, salt, salted)
    await call.controller(module.AlterUserScramCredentialsRequest([], [upsertion]), _read_users)


async def delete_scram_credential(call: Call, user: str, *, mechanism: str) -> None:
    module = alter_user_scram_credentials_request
    deletion = module.Deletions(user, _NUMBERS[mechanism])
    await call.controller(module.AlterUserScramCredentialsRequest([deletion], []), _read_users)


def _read_users(response: Any) -> None:
    raise_failures({row.user: (row.error_code, row.error_message) for row in response.results})


def new_salt(call: Call) -> bytes:
    return call.cluster.rng.random_bytes(_SALT_BYTES)


async def describe_client_quotas(
    call: Call, components: Mapping[str, str | None], *, strict: bool
) -> dict[QuotaEntity, dict[str, float]]:
    """`components`: entity type to its name; None for the default; "*" for any name."""
    module = describe_client_quotas_request
    request = module.DescribeClientQuotasRequest(
        components=[
            module.Components(
                kind,
                _ANY if name == "*" else _DEFAULT if name is None else _EXACT,
                None if name == "*" else name,
            )
            for kind, name in components.items()
        ],
        strict=strict,
    )

    def read(response: Any) -> dict[QuotaEntity, dict[str, float]]:
        raise_for(response.error_code, response.error_message)
        return {
            tuple((part.entity_type, part.entity_name) for part in row.entity): {
                value.key: value.value for value in row.values
            }
            for row in response.entries or ()
        }

    return await call.any_node(request, read)


async def alter_client_quotas(
    call: Call, changes: Mapping[QuotaEntity, Mapping[str, float | None]], *, validate_only: bool
) -> None:
    """A value of None removes the quota."""
    module = alter_client_quotas_request
    request = module.AlterClientQuotasRequest(
        entries=[
            module.Entries(
                [module.Entity(kind, name) for kind, name in entity],
                [module.Ops(key, value or 0.0, value is None) for key, value in quotas.items()],
            )
            for entity, quotas in changes.items()
        ],
        validate_only=validate_only,
    )

    def read(response: Any) -> None:
        raise_failures(
            {
                tuple((part.entity_type, part.entity_name) for part in row.entity): (row.error_code, row.error_message)
                for row in response.entries
            }
        )

    await call.controller(request, read)
