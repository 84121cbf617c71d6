"""Processing records in parallel, with retry topics, a dead-letter topic and de-duplication."""
