"""`ottla test -- CMD`: a command with a broker of its own."""

import subprocess
import sys

SCRIPT = """
import os
from ottla.client import Admin, Producer

servers = os.environ["KAFKA_BOOTSTRAP_SERVERS"]
with Producer(bootstrap_servers=servers) as producer:
    print(producer.send("orders", b"x").result().topic)
with Admin(bootstrap_servers=servers) as admin:
    print(len(admin.describe_topics(["orders"])["orders"].partitions))
raise SystemExit(7)
"""


def ottla(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "ottla", *words], capture_output=True, text=True, timeout=60)


def test_a_command_finds_the_broker_and_its_exit_code_is_kept() -> None:
    result = ottla("test", "--topic", "orders:3", "--", sys.executable, "-c", SCRIPT)

    assert result.stdout.split() == ["orders", "3"]
    assert result.returncode == 7


def test_a_command_that_does_not_exist_is_reported() -> None:
    result = ottla("test", "--", "no-such-command")

    assert (result.returncode, result.stderr) == (127, "error: no-such-command: not found\n")


def test_words_that_make_no_sense_are_refused() -> None:
    for words in (["--topic", "orders:many", "--", "true"], ["--override", "x", "--", "true"], []):
        assert ottla("test", *words).returncode == 2
    assert ottla("test", "--override", "num.partitions=many", "--", "true").returncode == 78
