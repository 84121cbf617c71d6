"""`ottla cat`: the flags and format tokens of kcat.

Modes: -P produce, -C consume, -G consume as a group, -L list, -Q offsets by time. Without one: produce when stdin is a
pipe, consume otherwise.
"""

import sys
from typing import TYPE_CHECKING, Unpack

import click

from ottla.cli.failures import usage
from ottla.cli.run import Run
from ottla.cli.shared_options import SharedOption
from ottla.cli.tool import verb

if TYPE_CHECKING:
    from ottla.cli.verbs.cat_modes import CatFlags


@verb("cat")
@click.option("-P", "mode", flag_value="produce", help="Produce.")
@click.option("-C", "mode", flag_value="consume", help="Consume.")
@click.option("-L", "mode", flag_value="list", help="List brokers, topics and partitions.")
@click.option("-Q", "mode", flag_value="query", help="Offsets by time: -t TOPIC:PARTITION:TIMESTAMP.")
@click.option("-G", "group", metavar="GROUP", help="Consume the topics named behind the flags as a group.")
@click.option("-t", "topics", multiple=True, metavar="TOPIC", help="The topic.")
@click.option("-p", "partition", type=int, metavar="N", help="The partition; all of them, or by key, unless given.")
@click.option("-o", "offset", metavar="OFFSET", help="beginning, end, stored, N, -N or s@TIMESTAMP.")
@click.option("-e", "exit_at_end", is_flag=True, help="Exit at the end of all partitions.")
@click.option("-c", "count", type=int, metavar="N", help="Exit after N records.")
@click.option("-K", "key_delimiter", metavar="TEXT", help="Between key and value.")
@click.option("-k", "key", metavar="KEY", help="The key of all records.")
@click.option("-D", "delimiter", default="\\n", metavar="TEXT", help="Between records.")
@click.option("-H", "headers", multiple=True, metavar="NAME=VALUE", help="A header; repeatable.")
@click.option("-Z", "empty_is_null", is_flag=True, help="Send empty values as null, print null as NULL.")
@click.option("-z", "codec", metavar="CODEC", help="gzip, snappy, lz4 or zstd.")
@click.option("-f", "form", metavar="FORMAT", help="%t %p %o %k %s %S %K %T %h %R, with \\n and \\t.")
@click.option("-J", "as_json", is_flag=True, help="Print each record, or the list, as JSON.")
@click.option("-l", "by_line", is_flag=True, help="Send the lines of the file, not the whole file.")
@click.option("-T", "tee", is_flag=True, help="Produce: copy the input to stdout.")
@click.option("-u", "unbuffered", is_flag=True, help="Write each record at once.")
@click.option("-F", "config_files", multiple=True, metavar="FILE", help="A file of client properties.")
@click.argument("words", nargs=-1)
def cat(
    run: Run,
    mode: str | None,
    group: str | None,
    topics: tuple[str, ...],
    config_files: tuple[str, ...],
    words: tuple[str, ...],
    **flags: "Unpack[CatFlags]",
) -> int:
    """kcat's command lines: -P, -C, -L, -Q and -G with its flags and format tokens.

    \b
    ottla cat -b localhost:9092 -L
    echo 'key:value' | ottla cat -P -t orders -K :
    ottla cat -C -t orders -o beginning -e -f '%p %o %k %s\\n'
    ottla cat -G readers orders
    """
    run.flags = run.flags._replace(config_files=(*run.flags.config_files, *config_files))
    from ottla.cli.verbs import cat_modes

    if group is not None:
        if not words:
            raise usage("-G GROUP needs topics behind the flags")
        return cat_modes.consume_as_group(run, group, words, flags)
    if mode == "list":
        return cat_modes.list_cluster(run, topics[0] if topics else None, as_json=flags["as_json"])
    if not topics:
        raise usage("-t TOPIC is missing", "-L lists the topics")
    if mode == "query":
        return cat_modes.query(run, topics)
    if len(topics) > 1:
        raise usage("one -t is enough")
    if mode == "produce" or (mode is None and not sys.stdin.isatty()):
        return cat_modes.produce(run, topics[0], words, flags)
    return cat_modes.consume(run, topics[0], flags)


# -o and -q have kcat's meaning here.
for _option in cat.params:
    if isinstance(_option, SharedOption):
        _option.opts = [name for name in _option.opts if name != "-o"]
