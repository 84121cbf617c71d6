"""The page `docs/reference/apis.md`: `python -m ottla.protocol.reference` prints it."""

from ottla.protocol.api_keys import ApiKey, api
from ottla.protocol.message import NEVER_FLEXIBLE

_HEAD = """# APIs

The messages that Ottla's codec reads and writes: those of Apache Kafka 4.3. Which of them a broker serves, and in which
versions, it tells in its answer to ApiVersions.

Made from the schemas in `src/ottla/protocol/schemas`; do not edit.

| Key | API | Versions | Flexible from | Listeners |
|--:|---|---|---|---|
"""


def apis_markdown() -> str:
    return _HEAD + "".join(_row(key) for key in ApiKey)


def _row(key: ApiKey) -> str:
    facts = api(key)
    versions = _range(facts.min_version, facts.last_stable)
    if facts.last_stable < facts.max_version:
        versions += f" ({_range(facts.last_stable + 1, facts.max_version)} unstable)"
    flexible = "never" if facts.flexible_from == NEVER_FLEXIBLE else str(facts.flexible_from)
    return f"| {int(key)} | {facts.name} | {versions} | {flexible} | {', '.join(facts.listeners)} |\n"


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


if __name__ == "__main__":
    print(apis_markdown(), end="")
