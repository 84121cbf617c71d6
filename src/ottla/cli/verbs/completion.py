"""`ottla completion`: completion of commands, flags and live names in bash, zsh and fish."""

import click

from ottla.cli.failures import usage


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the script that completes commands, flags and names of topics and groups.

    \b
    eval "$(ottla completion bash)"        in ~/.bashrc
    eval "$(ottla completion zsh)"         in ~/.zshrc
    ottla completion fish | source         in ~/.config/fish/config.fish
    """
    from click.shell_completion import get_completion_class

    from ottla.cli.commands import root

    kind = get_completion_class(shell)
    if kind is None:
        raise usage(f"no completion for {shell}")
    click.echo(kind(root, {}, "ottla", "_OTTLA_COMPLETE").source())
