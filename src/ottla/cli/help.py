"""`ottla help`: explains a command; `ottla help kafka` lists Kafka's tools."""

import click

from ottla.cli.commands import COMMANDS, KAFKA, load, root


@click.command("help")
@click.argument("words", nargs=-1, metavar="[COMMAND]…")
def help_command(words: tuple[str, ...]) -> None:
    """Explain a command: ottla help topic create. `ottla help kafka` lists the tools with Kafka's names."""
    context = click.Context(root, info_name="ottla", **root.context_settings)
    if words == ("kafka",):
        formatter = context.make_formatter()
        rows = [
            (name, entry.summary) for name, entry in COMMANDS.items() if entry.section == KAFKA and not entry.hidden
        ]
        with formatter.section("kafka-NAME.sh is ottla NAME"):
            formatter.write_dl(sorted(rows))
        click.echo(formatter.getvalue().rstrip("\n"))
        return
    command: click.Command = root
    for word in words:
        known = command.list_commands(context) if isinstance(command, click.Group) else []
        if command is root and word in COMMANDS:
            found: click.Command | None = load(word)
        else:
            found = command.get_command(context, word) if isinstance(command, click.Group) and word in known else None
        if found is None:
            raise click.UsageError(f"there is no command {' '.join(words)!r}")
        command = found
        context = click.Context(command, info_name=word, parent=context)
    click.echo(command.get_help(context))
