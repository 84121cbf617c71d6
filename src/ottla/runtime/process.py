"""Limits of this process."""

import resource


def raise_open_file_limit(wanted: int = 1_048_576) -> int:
    """Asks for as many open files as the system allows: each partition needs some. Gives the limit in force."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < target:
        resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))
        return target
    return soft
