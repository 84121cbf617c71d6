"""Settings: one typed row per key gives default, rule, documentation and what DescribeConfigs returns."""
