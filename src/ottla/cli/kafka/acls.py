"""`ottla acls` (kafka-acls.sh): who may do what with which resource."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click

from ottla.cli.failures import Failure, usage
from ottla.cli.kafka.acl_rules import Scope, bindings, filters, operation_choices, scopes_of
from ottla.cli.kafka.actions import one_action
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool
from ottla.client import Acl, AclFilter

_COLUMNS = ("principal", "permission", "operation", "host", "resource_type", "resource_name", "pattern_type")


@kafka_tool("acls", asks_controllers=True, error_text="Error while executing ACL command: {}")
@click.option("--add", is_flag=True, help="Add rules.")
@click.option("--remove", is_flag=True, help="Remove rules.")
@click.option("--list", "list_", is_flag=True, help="List rules.")
@click.option("--topic", "topics", multiple=True, metavar="NAME", help="A topic; repeatable.")
@click.option("--group", "groups", multiple=True, metavar="NAME", help="A group; repeatable.")
@click.option("--cluster", is_flag=True, help="The cluster.")
@click.option("--transactional-id", "transactional_ids", multiple=True, metavar="ID", help="Repeatable.")
@click.option("--delegation-token", "tokens", multiple=True, metavar="ID", help="Repeatable.")
@click.option("--user-principal", "users", multiple=True, metavar="USER", help="Repeatable.")
@click.option("--resource-pattern-type", "pattern", default="literal", help="literal, prefixed, any or match.")
@click.option("--operation", "operations", multiple=True, metavar="NAME", help=operation_choices())
@click.option("--allow-principal", multiple=True, metavar="User:NAME", help="Whom to allow it; repeatable.")
@click.option("--deny-principal", multiple=True, metavar="User:NAME", help="Whom to deny it; repeatable.")
@click.option("--allow-host", multiple=True, metavar="HOST", help="From where; * unless given.")
@click.option("--deny-host", multiple=True, metavar="HOST", help="From where; * unless given.")
@click.option("--principal", "principals", multiple=True, metavar="User:NAME", help="With --list: rules of these.")
@click.option("--producer", is_flag=True, help="What a producer needs.")
@click.option("--consumer", is_flag=True, help="What a consumer needs.")
@click.option("--idempotent", is_flag=True, help="With --producer: IdempotentWrite on the cluster.")
@click.option("--force", is_flag=True, help="Do not ask.")
def acls(run: Run, force: bool, principals: tuple[str, ...], **flags: Any) -> Result:
    """Add, remove and list access control lists (kafka-acls.sh).

    \b
    ottla acls --add --allow-principal User:alice --operation Read --topic orders
    ottla acls --add --allow-principal User:bob --producer --topic orders
    ottla acls --list --topic orders
    """
    action = one_action(flags, "add", "remove", "list_")
    scopes = scopes_of(flags)
    if action != "list_" and not scopes:
        raise usage("You must specify at least one resource: --topic, --group, --cluster, --transactional-id, …")
    with run.admin() as admin:
        if action == "add":
            rules = bindings(scopes, flags)
            _announce("Adding ACLs", rules)
            admin.create_acls(rules)
            found = _listed(admin, [scope.filter() for scope in scopes])
        elif action == "remove":
            chosen = filters(scopes, flags)
            _ask_to_remove(chosen, scopes, force=force)
            admin.delete_acls(chosen)
            found = _listed(admin, [scope.filter() for scope in scopes])
        else:
            found = _listed(admin, [scope.filter() for scope in scopes] or [AclFilter()])
            found = [rule for rule in found if not principals or rule.principal in principals]
    return Result("acls", found, _COLUMNS, text="\n".join(_blocks("Current ACLs", found)))


def _listed(admin: Any, chosen: Iterable[AclFilter]) -> list[Acl]:
    found: dict[Acl, None] = {}
    for each in chosen:
        found.update(dict.fromkeys(admin.describe_acls(each)))
    return sorted(found)


def _announce(title: str, rules: Sequence[Acl]) -> None:
    for line in _blocks(title, rules):
        print(line, file=sys.stderr)


def _blocks(title: str, rules: Sequence[Acl]) -> list[str]:
    resources: dict[str, list[Acl]] = {}
    for rule in rules:
        resources.setdefault(_resource(rule), []).append(rule)
    lines = []
    for resource, members in resources.items():
        lines.append(f"{title} for resource `{resource}`:")
        lines += [f"\t{_rule(rule)}" for rule in members]
        lines.append("")
    return lines


def _resource(rule: Acl) -> str:
    kind, pattern = rule.resource_type.name, rule.pattern_type.name
    return f"ResourcePattern(resourceType={kind}, name={rule.resource_name}, patternType={pattern})"


def _rule(rule: Acl) -> str:
    return (
        f"(principal={rule.principal}, host={rule.host}, operation={rule.operation.name}, "
        f"permissionType={rule.permission.name})"
    )


def _ask_to_remove(chosen: Sequence[AclFilter], scopes: Sequence[Scope], *, force: bool) -> None:
    if force:
        return
    if not sys.stdin.isatty():
        raise usage("removing ACLs needs a confirmation", "--force confirms it")
    names = ", ".join(f"{scope.type.name.lower()} {scope.name}" for scope in scopes)
    print(f"Are you sure you want to remove {len(chosen)} kinds of ACLs from {names}? (y/n)", file=sys.stderr)
    if sys.stdin.readline().strip().lower() != "y":
        raise Failure("nothing was removed")
