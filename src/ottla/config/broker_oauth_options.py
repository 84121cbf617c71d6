"""Logging in with OAuth tokens, and renewing any login."""

from ottla.config.checks import between, no_blank_entries, one_of_any_case
from ottla.config.option import OptionSet
from ottla.config.rows import (
    LOW,
    PER_BROKER,
    boolean_option,
    class_option,
    double_option,
    int_option,
    list_option,
    long_option,
    password_option,
    short_option,
    string_option,
)


class BrokerOauthOptions(OptionSet):
    """Rows of BrokerOptions about OAUTHBEARER and logins."""

    sasl_login_callback_handler_class = class_option("sasl.login.callback.handler.class", None, "")
    sasl_login_class = class_option("sasl.login.class", None, "")
    sasl_login_connect_timeout_ms = int_option("sasl.login.connect.timeout.ms", None, "", importance=LOW)
    sasl_login_read_timeout_ms = int_option("sasl.login.read.timeout.ms", None, "", importance=LOW)
    sasl_login_refresh_buffer_seconds = short_option("sasl.login.refresh.buffer.seconds", 300, "", update=PER_BROKER)
    sasl_login_refresh_min_period_seconds = short_option(
        "sasl.login.refresh.min.period.seconds", 60, "", update=PER_BROKER
    )
    sasl_login_refresh_window_factor = double_option("sasl.login.refresh.window.factor", 0.8, "", update=PER_BROKER)
    sasl_login_refresh_window_jitter = double_option("sasl.login.refresh.window.jitter", 0.05, "", update=PER_BROKER)
    sasl_login_retry_backoff_max_ms = long_option("sasl.login.retry.backoff.max.ms", 10_000, "", importance=LOW)
    sasl_login_retry_backoff_ms = long_option("sasl.login.retry.backoff.ms", 100, "", importance=LOW)
    sasl_oauthbearer_assertion_algorithm = string_option(
        "sasl.oauthbearer.assertion.algorithm", "RS256", "", check=one_of_any_case("ES256", "RS256")
    )
    sasl_oauthbearer_assertion_claim_aud = string_option("sasl.oauthbearer.assertion.claim.aud", None, "")
    sasl_oauthbearer_assertion_claim_exp_seconds = int_option(
        "sasl.oauthbearer.assertion.claim.exp.seconds", 300, "", check=between(0, 86_400), importance=LOW
    )
    sasl_oauthbearer_assertion_claim_iss = string_option("sasl.oauthbearer.assertion.claim.iss", None, "")
    sasl_oauthbearer_assertion_claim_jti_include = boolean_option(
        "sasl.oauthbearer.assertion.claim.jti.include", False, ""
    )
    sasl_oauthbearer_assertion_claim_nbf_seconds = int_option(
        "sasl.oauthbearer.assertion.claim.nbf.seconds", 60, "", check=between(0, 3600), importance=LOW
    )
    sasl_oauthbearer_assertion_claim_sub = string_option("sasl.oauthbearer.assertion.claim.sub", None, "")
    sasl_oauthbearer_assertion_file = string_option("sasl.oauthbearer.assertion.file", None, "")
    sasl_oauthbearer_assertion_private_key_file = string_option("sasl.oauthbearer.assertion.private.key.file", None, "")
    sasl_oauthbearer_assertion_private_key_passphrase = password_option(
        "sasl.oauthbearer.assertion.private.key.passphrase", ""
    )
    sasl_oauthbearer_assertion_template_file = string_option("sasl.oauthbearer.assertion.template.file", None, "")
    sasl_oauthbearer_client_credentials_client_id = string_option(
        "sasl.oauthbearer.client.credentials.client.id", None, ""
    )
    sasl_oauthbearer_client_credentials_client_secret = password_option(
        "sasl.oauthbearer.client.credentials.client.secret", ""
    )
    sasl_oauthbearer_clock_skew_seconds = int_option("sasl.oauthbearer.clock.skew.seconds", 30, "", importance=LOW)
    sasl_oauthbearer_expected_audience = list_option(
        "sasl.oauthbearer.expected.audience", (), "", check=no_blank_entries(), importance=LOW
    )
    sasl_oauthbearer_expected_issuer = string_option("sasl.oauthbearer.expected.issuer", None, "", importance=LOW)
    sasl_oauthbearer_jwks_endpoint_refresh_ms = long_option(
        "sasl.oauthbearer.jwks.endpoint.refresh.ms", 3_600_000, "", importance=LOW
    )
    sasl_oauthbearer_jwks_endpoint_retry_backoff_max_ms = long_option(
        "sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms", 10_000, "", importance=LOW
    )
    sasl_oauthbearer_jwks_endpoint_retry_backoff_ms = long_option(
        "sasl.oauthbearer.jwks.endpoint.retry.backoff.ms", 100, "", importance=LOW
    )
    sasl_oauthbearer_jwks_endpoint_url = string_option("sasl.oauthbearer.jwks.endpoint.url", None, "")
    sasl_oauthbearer_jwt_retriever_class = class_option(
        "sasl.oauthbearer.jwt.retriever.class", "org.apache.kafka.common.security.oauthbearer.DefaultJwtRetriever", ""
    )
    sasl_oauthbearer_jwt_validator_class = class_option(
        "sasl.oauthbearer.jwt.validator.class", "org.apache.kafka.common.security.oauthbearer.DefaultJwtValidator", ""
    )
    sasl_oauthbearer_scope = string_option("sasl.oauthbearer.scope", None, "")
    sasl_oauthbearer_scope_claim_name = string_option("sasl.oauthbearer.scope.claim.name", "scope", "", importance=LOW)
    sasl_oauthbearer_sub_claim_name = string_option("sasl.oauthbearer.sub.claim.name", "sub", "", importance=LOW)
    sasl_oauthbearer_token_endpoint_url = string_option("sasl.oauthbearer.token.endpoint.url", None, "")
