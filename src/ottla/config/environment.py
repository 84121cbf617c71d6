"""Settings from environment variables: `KAFKA_LOG_DIRS` and `OTTLA_LOG_DIRS` are log.dirs."""

from collections.abc import Collection, Mapping

from ottla.config.properties import Settings

#: Variables of Kafka's images and scripts that are about the JVM or the tools, not settings of the broker.
_NOT_SETTINGS = frozenset(
    {
        "KAFKA_BOOTSTRAP_SERVERS",
        "KAFKA_CLUSTER_ID",
        "KAFKA_DEBUG",
        "KAFKA_GC_LOG_OPTS",
        "KAFKA_HEAP_OPTS",
        "KAFKA_HOME",
        "KAFKA_JMX_HOSTNAME",
        "KAFKA_JMX_OPTS",
        "KAFKA_JMX_PORT",
        "KAFKA_JVM_PERFORMANCE_OPTS",
        "KAFKA_LOG4J_CMD_OPTS",
        "KAFKA_LOG4J_LOGGERS",
        "KAFKA_LOG4J_OPTS",
        "KAFKA_LOG4J_ROOT_LOGLEVEL",
        "KAFKA_LOG4J_TOOLS_ROOT_LOGLEVEL",
        "KAFKA_OPTS",
        "KAFKA_TOOLS_LOG4J_LOGLEVEL",
        "KAFKA_VERSION",
    }
)
#: Variables with our prefix that are not settings of a broker.
_OWN_VARIABLES = frozenset({"OTTLA_BOOTSTRAP", "OTTLA_CONFIG", "OTTLA_PROFILE", "OTTLA_PURE", "OTTLA_STATE_DIR"})


def from_environment(environment: Mapping[str, str], known: Collection[str] = ()) -> Settings:
    """KAFKA_LOG_DIRS is log.dirs; two underscores stand for one, three for a dash.

    OTTLA_LOG_DIRS means the same and takes precedence; OTTLA_LOG_LEVEL is ottla.log.level. With that prefix only
    `known` names are settings.
    """
    found = Settings({}, [], {})
    for variable in sorted(environment):
        prefix, _, rest = variable.partition("_")
        if prefix == "KAFKA" and rest and variable not in _NOT_SETTINGS:
            found.set(_dotted(rest), environment[variable], variable)
        elif prefix == "OTTLA":
            for name in _known_names(rest, known)[:1]:
                found.set(name, environment[variable], variable)
    return found


def unknown_variables(environment: Mapping[str, str], known: Collection[str]) -> list[str]:
    """One sentence for each OTTLA_ variable that is no setting, with the nearest name that exists."""
    from difflib import get_close_matches  # only a mistake needs it

    found: list[str] = []
    for variable in sorted(environment):
        prefix, _, rest = variable.partition("_")
        if prefix != "OTTLA" or variable in _OWN_VARIABLES or _known_names(rest, known):
            continue
        names = {_as_variable(name): None for name in known} | dict.fromkeys(_OWN_VARIABLES)
        near = get_close_matches(variable, names, n=1, cutoff=0.75)
        hint = f"; did you mean {near[0]}?" if near else ""
        found.append(f"environment variable {variable} is not a setting and has no effect{hint}")
    return found


def ignored_variables(environment: Mapping[str, str]) -> list[str]:
    """Variables for Kafka's JVM and scripts that a broker in Python has no use for."""
    return sorted(
        name for name in environment if name in _NOT_SETTINGS and name.endswith(("_OPTS", "_PORT", "_LOGLEVEL"))
    )


def _dotted(variable: str) -> str:
    return variable.lower().replace("___", "-").replace("__", "\0").replace("_", ".").replace("\0", "_")


def _known_names(variable: str, known: Collection[str]) -> list[str]:
    """`variable` without its prefix."""
    name = _dotted(variable)
    return [each for each in (name, f"ottla.{name}") if each in known]


def _as_variable(name: str) -> str:
    words = name.removeprefix("ottla.").replace("_", "__").replace("-", "___").replace(".", "_")
    return f"OTTLA_{words.upper()}"
