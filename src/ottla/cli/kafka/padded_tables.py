"""Tables of Kafka's newer tools: padded cells, a tab behind each."""

from collections.abc import Sequence


def padded_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[index]) for line in (titles, *rows)) for index in range(len(titles))]
    return "\n".join(
        "".join(f"{cell.ljust(width)}\t" for cell, width in zip(line, widths, strict=True)) for line in (titles, *rows)
    )
