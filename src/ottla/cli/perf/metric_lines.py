"""The metrics of a client as Kafka's tools print them with --print-metrics."""

from collections.abc import Iterator
from math import isnan

from ottla.client.metrics import Metrics


def metric_lines(metrics: Metrics) -> Iterator[str]:
    """An empty line, the heading, then a line for each metric, sorted by name."""
    named = sorted((str(name), value) for name, value in metrics.items())
    width = max((len(name) for name, _ in named), default=0)
    yield ""
    yield f"{'Metric Name':<{width}}   Value"
    for name, value in named:
        shown = "NaN" if isnan(value) else f"{value:.3f}"
        yield f"{name:<{width}} : {shown}"
