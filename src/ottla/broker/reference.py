"""The reference pages of APIs and error codes, made from the tables that the broker itself uses.

python -m ottla.broker.reference           writes docs/reference/apis.md and docs/reference/errors.md
python -m ottla.broker.reference --check   fails when a page is not up to date
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ottla.broker.handlers import load_handlers
from ottla.broker.requests.registry import Entry
from ottla.model.error_codes import RETRIABLE, STALE_METADATA, TEXTS, ErrorCode
from ottla.protocol.api_keys import Api, ApiKey, api
from ottla.protocol.message import NEVER_FLEXIBLE

APIS_PAGE = Path("docs/reference/apis.md")
ERRORS_PAGE = Path("docs/reference/errors.md")
_MADE_BY = "This page is made by `python -m ottla.broker.reference`; do not edit it."

_APIS_INTRODUCTION = f"""# APIs

All APIs of Apache Kafka 4.3 and the versions of them that this broker serves. A client learns the same from
ApiVersions, which is made from the same table. The codec reads and writes every version, served or not.
*Flexible from*: the first version with compact lengths and tagged fields.

{_MADE_BY}
"""
_ERRORS_INTRODUCTION = f"""# Error codes

The numbers and names are Kafka's. *Retry*: the same request may succeed when it is sent again; "after new metadata"
means once the client has asked again which broker leads.

{_MADE_BY}
"""


def apis_markdown() -> str:
    served = load_handlers()
    lines = [
        _APIS_INTRODUCTION,
        f"Served: {len(served)} of {len(ApiKey)}.\n",
        "| Key | API | Kafka 4.3 | Served | Flexible from |",
        "|--:|---|---|---|---|",
        *(_api_row(key, api(key), served.get(int(key))) for key in ApiKey),
    ]
    return "\n".join(lines) + "\n"


def _api_row(key: ApiKey, facts: Api, entry: Entry | None) -> str:
    flexible = "never" if facts.flexible_from == NEVER_FLEXIBLE else str(facts.flexible_from)
    stable = _range(facts.min_version, facts.last_stable)
    return f"| {int(key)} | {facts.name} | {stable} | {_served(entry)} | {flexible} |"


def _served(entry: Entry | None) -> str:
    if entry is None:
        return "–"
    text = _range(entry.min_version, entry.max_version)
    if entry.advertised_min != entry.min_version:
        text += f" (advertised from {entry.advertised_min}, as Kafka does)"
    return text


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"


def errors_markdown() -> str:
    lines = [_ERRORS_INTRODUCTION, "| Code | Name | Retry | Meaning |", "|--:|---|---|---|", *_error_rows()]
    return "\n".join(lines) + "\n"


def _error_rows() -> Iterator[str]:
    for code in sorted(ErrorCode):
        retry = ""
        if code in RETRIABLE:
            retry = "after new metadata" if code in STALE_METADATA else "yes"
        meaning = TEXTS[code].replace("|", "\\|")
        yield f"| {int(code)} | `{code.name}` | {retry} | {meaning} |"


def pages() -> dict[Path, str]:
    return {APIS_PAGE: apis_markdown(), ERRORS_PAGE: errors_markdown()}


def main(arguments: Sequence[str]) -> int:
    stale = [page for page, text in pages().items() if not page.exists() or page.read_text(encoding="utf-8") != text]
    if "--check" in arguments:
        for page in stale:
            print(f"{page} is not up to date: run python -m ottla.broker.reference", file=sys.stderr)
        return 1 if stale else 0
    for page, text in pages().items():
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
