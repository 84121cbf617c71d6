"""Who may do what: TLS, SASL, authorizer, quotas. Nothing yet: only loopback listeners start without `--insecure`."""
