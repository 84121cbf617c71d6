"""The exit codes of all commands. Tools with Kafka's names use 0, 1 and 130 only."""

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_NOT_FOUND = 3
EXIT_NOT_AUTHORIZED = 4
EXIT_UNREACHABLE = 5
EXIT_TIMED_OUT = 6
EXIT_PARTLY_FAILED = 7
#: A port or a directory is in use: EX_TEMPFAIL of sysexits.h. Service managers start again.
EXIT_IN_USE = 75
EXIT_CONFIG = 78
EXIT_INTERRUPTED = 130
