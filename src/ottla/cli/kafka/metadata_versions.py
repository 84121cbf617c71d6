"""The names of Kafka's metadata versions: level 7 is 3.3-IV3."""

from ottla.cli.failures import usage

_FIRST = 7
#: Release -> how many versions it has; 3.3 had three before Kafka's quorum was ready.
_RELEASES = {
    "3.3": range(3, 4),
    "3.4": range(1),
    "3.5": range(3),
    "3.6": range(3),
    "3.7": range(5),
    "3.8": range(1),
    "3.9": range(1),
    "4.0": range(4),
    "4.1": range(2),
    "4.2": range(2),
    "4.3": range(1),
}
_NAMES = [f"{release}-IV{number}" for release, numbers in _RELEASES.items() for number in numbers]


def level_text(feature: str, level: int) -> str:
    """The name of a level of metadata.version; the number of any other feature."""
    if feature == "metadata.version" and 0 <= level - _FIRST < len(_NAMES):
        return _NAMES[level - _FIRST]
    return str(level)


def level_of(feature: str, text: str) -> int:
    """A number, or for metadata.version a name or a release (its newest version). Raises Failure."""
    if text.isdigit():
        return int(text)
    if feature == "metadata.version":
        found = [index for index, name in enumerate(_NAMES) if name == text or name.startswith(f"{text}-IV")]
        if found:
            return _FIRST + found[-1]
    raise usage(f"Can't parse feature=level string {feature}={text}: unable to parse {text} as a level")
