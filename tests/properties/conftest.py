"""Properties are about results, not about time: a pause of a busy machine is no failure of an example."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "patient",
    parent=settings.default,
    deadline=None,
    suppress_health_check=[*settings.default.suppress_health_check, HealthCheck.too_slow],
)
settings.load_profile("patient")
