"""Events of the verifiable tools: one JSON object a line, with a timestamp and a name first."""

import json
import sys
import time
from typing import Any


def print_event(name: str, **fields: Any) -> None:
    document = {"timestamp": time.time_ns() // 1_000_000, "name": name, **fields}
    sys.stdout.write(json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n")
    sys.stdout.flush()
