"""The table of commands: name -> where it is. A command's file is loaded when the command runs, not before."""

from importlib import import_module
from typing import NamedTuple

import click

from ottla import __version__
from ottla.cli.shared_options import shared_options

RUN, DATA, OPERATE, PIPELINES, KAFKA, SET_UP = "Run", "Data", "Operate", "Pipelines", "Kafka", "Set-up"
#: In the order of the help screen.
SECTIONS = (RUN, DATA, OPERATE, PIPELINES, KAFKA, SET_UP)
#: The help screen shows these tools of Kafka; `ottla help kafka` shows all.
KAFKA_SHOWN = (
    *("topics", "configs", "consumer-groups", "console-producer", "console-consumer"),
    *("reassign-partitions", "acls", "get-offsets"),
)


class Entry(NamedTuple):
    """`module` is below `ottla.cli`; `function` the click command in it."""

    module: str
    function: str
    section: str
    summary: str
    hidden: bool = False


COMMANDS = {
    "dev": Entry("dev", "dev", RUN, "A broker for development: loopback, data in ./.ottla, no settings needed."),
    "serve": Entry("serve", "serve", RUN, "Run a broker; without a file on loopback, data in your data directory."),
    "check": Entry("check", "check", RUN, "Would this configuration start? Lists every problem."),
    "start": Entry("serve", "serve", RUN, "Another name for serve.", hidden=True),
    "test": Entry("test", "test", RUN, "Run a command with a throw-away broker: ottla test -- CMD."),
    "doctor": Entry("verbs.doctor", "doctor", RUN, "Check each step to a broker, and what to change."),
    "health": Entry("verbs.health", "health", RUN, "Does the cluster serve? --wait waits for it."),
    "topic": Entry(
        "verbs.topic", "topic", DATA, "Topics: list, create, describe, config, offsets, export, import, delete."
    ),
    "group": Entry("verbs.group", "group", DATA, "Consumer groups: list, describe, seek, delete."),
    "lag": Entry("verbs.lag", "lag", DATA, "How far groups are behind."),
    "top": Entry("verbs.top", "top", OPERATE, "A live view of the cluster."),
    "partition": Entry("verbs.partition", "partition", OPERATE, "Partitions: list, move, elect."),
    "pipeline": Entry("verbs.pipeline", "pipeline", PIPELINES, "Pipelines on Spark: one YAML file each."),
    "server-start": Entry("serve", "server_start", KAFKA, "Run a broker on a Kafka server.properties as it is."),
    "topics": Entry("kafka.topics", "topics", KAFKA, "List, create, describe, alter and delete topics."),
    "configs": Entry("kafka.configs", "configs", KAFKA, "Settings of topics, brokers, groups, users, clients."),
    "consumer-groups": Entry(
        "kafka.consumer_groups", "consumer_groups", KAFKA, "List, describe, delete and reset consumer groups."
    ),
    "get-offsets": Entry("kafka.get_offsets", "get_offsets", KAFKA, "Offsets of partitions: first, last, by time."),
    "produce": Entry("verbs.produce", "produce", DATA, "Send the lines of stdin or of a file to a topic."),
    "consume": Entry("verbs.consume", "consume", DATA, "Print the records of a topic."),
    "cat": Entry("verbs.cat", "cat", DATA, "kcat's flags and format tokens."),
    "demo": Entry("verbs.demo", "demo", RUN, "Sample topics with live traffic and one slow group."),
    "bench": Entry("verbs.bench", "bench", OPERATE, "Measure a cluster: produce, consume, end to end."),
    "console-producer": Entry(
        "kafka.console_producer", "console_producer", KAFKA, "Send each line of stdin as a record."
    ),
    "console-consumer": Entry("kafka.console_consumer", "console_consumer", KAFKA, "Print the records of a topic."),
    "producer-perf-test": Entry(
        "kafka.producer_perf_test", "producer_perf_test", KAFKA, "How fast records are acknowledged."
    ),
    "consumer-perf-test": Entry(
        "kafka.consumer_perf_test", "consumer_perf_test", KAFKA, "How fast a topic can be read."
    ),
    "e2e-latency": Entry("kafka.e2e_latency", "e2e_latency", KAFKA, "How long a record takes to a consumer."),
    "verifiable-producer": Entry(
        "kafka.verifiable_producer", "verifiable_producer", KAFKA, "Send rising numbers, print an event for each."
    ),
    "verifiable-consumer": Entry(
        "kafka.verifiable_consumer", "verifiable_consumer", KAFKA, "Read a topic, print what happens as events."
    ),
    "storage": Entry("kafka.storage", "storage", KAFKA, "Log directories: identity, formatting."),
    "server-stop": Entry("kafka.server_stop", "server_stop", KAFKA, "Stop the brokers of this user on this machine."),
    "dump-log": Entry("kafka.dump_log", "dump_log_command", KAFKA, "What is in segments, indexes and snapshots."),
    "groups": Entry("kafka.groups", "groups", KAFKA, "Groups of all types."),
    "delete-records": Entry("kafka.delete_records", "delete_records", KAFKA, "Delete records before given offsets."),
    "log-dirs": Entry("kafka.log_dirs", "log_dirs", KAFKA, "Sizes of replicas in the log directories of brokers."),
    "broker-api-versions": Entry(
        "kafka.broker_api_versions", "broker_api_versions", KAFKA, "APIs that each broker serves, with their versions."
    ),
    "cluster": Entry("kafka.cluster", "cluster", KAFKA, "The id of the cluster, endpoints, brokers that are gone."),
    "features": Entry("kafka.features", "features", KAFKA, "Features of the cluster and their levels."),
    "metadata-quorum": Entry("kafka.metadata_quorum", "metadata_quorum", KAFKA, "The quorum of controllers."),
    "transactions": Entry("kafka.transactions", "transactions", KAFKA, "Transactions, and those that hang."),
    "leader-election": Entry("kafka.leader_election", "leader_election", KAFKA, "Elect leaders of partitions."),
    "reassign-partitions": Entry(
        "kafka.reassign_partitions", "reassign_partitions", KAFKA, "Move replicas to other brokers."
    ),
    "acls": Entry("kafka.acls", "acls", KAFKA, "Who may do what with which resource."),
    "replica-verification": Entry(
        "kafka.replica_verification", "replica_verification", KAFKA, "How far replicas are behind."
    ),
    "delegation-tokens": Entry("kafka.not_served", "delegation_tokens", KAFKA, "Delegation tokens."),
    "share-groups": Entry("kafka.not_served", "share_groups", KAFKA, "Share groups."),
    "streams-groups": Entry("kafka.not_served", "streams_groups", KAFKA, "Groups of streams applications."),
    "run-class": Entry("kafka.run_class", "run_class", KAFKA, "The tool for a Java class of Kafka."),
    "profile": Entry("verbs.profile", "profile", SET_UP, "Named connections."),
    "completion": Entry("verbs.completion", "completion", SET_UP, "Completion for bash, zsh and fish."),
    "link": Entry("verbs.link", "link", SET_UP, "Wrappers named kafka-*.sh."),
    "docs": Entry("verbs.docs", "docs", SET_UP, "Explain a setting, an error code or a command."),
    "help": Entry("help", "help_command", SET_UP, "Explain a command: ottla help topic create.", hidden=True),
    "version": Entry("version", "version", SET_UP, "What is installed, and whether its compiled code runs."),
}


def load(name: str) -> click.Command:
    """The command of a name in the table."""
    entry = COMMANDS[name]
    command = getattr(import_module(f"ottla.cli.{entry.module}"), entry.function)
    assert isinstance(command, click.Command)
    return command


class LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name, entry in COMMANDS.items() if not entry.hidden]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return load(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0].removeprefix("kafka-").removesuffix(".sh"), COMMANDS, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            ctx.fail(f"there is no command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A line for each section, as wide as the screen."""
        from textwrap import wrap

        formatter.write("\n")
        for section in SECTIONS:
            names = [name for name, entry in COMMANDS.items() if entry.section == section and not entry.hidden]
            if section == KAFKA:
                names = [name for name in KAFKA_SHOWN if name in COMMANDS]
            lines = wrap("  ".join(name.replace("-", "\0") for name in names), 68)
            if section == KAFKA:
                lines.append("… (ottla help kafka)")
            for index, line in enumerate(lines):
                shown = line.replace("\0", "-")
                formatter.write(f"{section if index == 0 else '':<10}{shown}\n")

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write("\n  ottla help topic create            examples first\n")


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="ottla", message="%(prog)s %(version)s")
def root() -> None:
    """Event streaming that speaks Kafka. Any kafka-NAME.sh is `ottla NAME`."""


root.params += shared_options(connects=True)
