"""`ottla check`: would this configuration start?"""

import os
import sys
from pathlib import Path

import click

from ottla.cli.settings import Sources, load
from ottla.cli.start_warnings import start_warnings
from ottla.cli.starting import report
from ottla.model.errors import InvalidConfig


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--override", "overrides", multiple=True, metavar="KEY=VALUE", help="Set one setting; repeatable.")
@click.option("--insecure", is_flag=True, help="Allow open listeners without TLS or login.")
@click.option("--ignore-security-settings", is_flag=True, help="Accept access control, TLS and SASL settings.")
def check(file: Path, overrides: tuple[str, ...], insecure: bool, ignore_security_settings: bool) -> int:
    """Report whether a broker would start with FILE.

    The exit code is 0, or 78 with every problem, its file and line. The environment is taken into account as for a
    start. Ports that are in use are not checked, so the configuration of a running broker can be.
    """
    sources = Sources(file, overrides, insecure, ignore_security_settings)
    try:
        start = load(sources, os.environ, check_ports=False)
    except InvalidConfig as error:
        return report(error)
    for warning in start_warnings(start, os.environ):
        print(f"warning: {warning}", file=sys.stderr)
    print(f"{file}: ok")
    return 0
