"""Tests as users of the kit write them: small services on four clients. `make testing-kit-soak` repeats them."""
