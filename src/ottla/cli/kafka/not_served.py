"""Tools of Kafka for what Ottla does not serve yet, or has in another form: one clear line."""

import click

from ottla.cli.failures import Failure
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool
from ottla.protocol.generated.catalog import ApiKey

_ANY_WORDS = {"ignore_unknown_options": True, "allow_extra_args": True}


def _tool(name: str, api: ApiKey, what: str) -> click.Command:
    @kafka_tool(name, context_settings=_ANY_WORDS, help=f"{what} (kafka-{name}.sh); says whether the broker serves it.")
    @click.argument("words", nargs=-1, type=click.UNPROCESSED)
    def tool(run: Run, words: tuple[str, ...]) -> None:
        with run.admin() as admin:
            node = admin.describe_cluster().nodes[0]
            is_served = api in admin.describe_api_versions(node.id)
        spelled = "".join(part.capitalize() for part in api.name.split("_"))
        if is_served:
            raise Failure(f"the broker serves {spelled}, but ottla {name} cannot ask for it yet")
        raise Failure(f"node {node.id} does not serve {spelled}: {what.lower()} are not supported by this broker")

    return tool


share_groups = _tool("share-groups", ApiKey.SHARE_GROUP_DESCRIBE, "Share groups")
streams_groups = _tool("streams-groups", ApiKey.STREAMS_GROUP_DESCRIBE, "Groups of streams applications")
delegation_tokens = _tool("delegation-tokens", ApiKey.CREATE_DELEGATION_TOKEN, "Delegation tokens")
