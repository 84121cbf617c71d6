"""Properties are about results, not about time: a pause of a busy machine is no failure of an example."""

from hypothesis import HealthCheck, settings

DEFAULT = settings.default
assert DEFAULT is not None
settings.register_profile(
    "patient",
    parent=DEFAULT,
    deadline=None,
    suppress_health_check=[*DEFAULT.suppress_health_check, HealthCheck.too_slow],
)
settings.load_profile("patient")
