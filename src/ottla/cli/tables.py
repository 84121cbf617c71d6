"""Tables as text: columns with minimum widths, as Kafka's tools print them."""

from collections.abc import Sequence


def table(
    titles: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    widths: Sequence[int] = (),
    gap: str = " ",
    right: Sequence[bool] = (),
    pads_last: bool = False,
) -> str:
    """`widths` are minimum widths; a column without one is as wide as its longest cell.

    The last column is padded only with `pads_last`: the lines have no blanks at their end otherwise.
    """
    columns = len(titles)
    needed = [
        max([len(titles[index]), *(len(row[index]) for row in rows), *widths[index : index + 1]])
        for index in range(columns)
    ]

    def line(cells: Sequence[str]) -> str:
        padded = [
            text.rjust(needed[index]) if right[index : index + 1] == [True] else text.ljust(needed[index])
            for index, text in enumerate(cells)
        ]
        text = gap.join(padded)
        return text if pads_last else text.rstrip(" ")

    return "\n".join(line(row) for row in (titles, *rows))


def padded_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Of Kafka's newer tools: padded cells, a tab behind each."""
    widths = [max(len(line[index]) for line in (titles, *rows)) for index in range(len(titles))]
    return "\n".join(
        "".join(f"{cell.ljust(width)}\t" for cell, width in zip(line, widths, strict=True)) for line in (titles, *rows)
    )
