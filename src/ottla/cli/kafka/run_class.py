"""`ottla run-class` (kafka-run-class.sh): Java class names of Kafka's tools, mapped to ours."""

import click

from ottla.cli.commands import COMMANDS, root
from ottla.cli.failures import Failure

#: The name of the class, without its package.
CLASSES = {
    "AclCommand": "acls",
    "BrokerApiVersionsCommand": "broker-api-versions",
    "ClusterTool": "cluster",
    "ConfigCommand": "configs",
    "ConsoleConsumer": "console-consumer",
    "ConsoleProducer": "console-producer",
    "ConsumerGroupCommand": "consumer-groups",
    "ConsumerPerformance": "consumer-perf-test",
    "DelegationTokenCommand": "delegation-tokens",
    "DeleteRecordsCommand": "delete-records",
    "DumpLogSegments": "dump-log",
    "EndToEndLatency": "e2e-latency",
    "FeatureCommand": "features",
    "GetOffsetShell": "get-offsets",
    "GroupsCommand": "groups",
    "Kafka": "server-start",
    "LeaderElectionCommand": "leader-election",
    "LogDirsCommand": "log-dirs",
    "MetadataQuorumCommand": "metadata-quorum",
    "ProducerPerformance": "producer-perf-test",
    "ReassignPartitionsCommand": "reassign-partitions",
    "ReplicaVerificationTool": "replica-verification",
    "ShareGroupCommand": "share-groups",
    "StorageTool": "storage",
    "StreamsGroupCommand": "streams-groups",
    "TopicCommand": "topics",
    "TransactionsCommand": "transactions",
    "VerifiableConsumer": "verifiable-consumer",
    "VerifiableProducer": "verifiable-producer",
}


@click.command("run-class", context_settings={"allow_interspersed_args": False})
@click.argument("class_name", metavar="CLASS")
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def run_class(context: click.Context, class_name: str, words: tuple[str, ...]) -> int:
    """Run the tool that stands for a Java class of Kafka (kafka-run-class.sh), e.g. kafka.tools.GetOffsetShell."""
    name = CLASSES.get(class_name.rpartition(".")[2])
    if name is None or name not in COMMANDS:
        raise Failure(f"{class_name} is not one of the classes that ottla has a tool for", hint="ottla help kafka")
    command = root.get_command(context, name)
    assert command is not None
    inner = command.make_context(name, list(words), parent=context.parent)
    with inner:
        return int(command.invoke(inner) or 0)
