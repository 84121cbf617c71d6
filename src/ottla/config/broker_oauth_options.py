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

    sasl_login_callback_handler_class = class_option(
        "sasl.login.callback.handler.class", None, "Java class for logins; Ottla loads no Java classes.", effect=False
    )
    sasl_login_class = class_option(
        "sasl.login.class", None, "Java class that logs in; Ottla loads no Java classes.", effect=False
    )
    sasl_login_connect_timeout_ms = int_option(
        "sasl.login.connect.timeout.ms",
        None,
        "How long connecting to the identity provider may take.",
        importance=LOW,
        effect=False,
    )
    sasl_login_read_timeout_ms = int_option(
        "sasl.login.read.timeout.ms",
        None,
        "How long the response of the identity provider may take.",
        importance=LOW,
        effect=False,
    )
    sasl_login_refresh_buffer_seconds = short_option(
        "sasl.login.refresh.buffer.seconds",
        300,
        "Time before its end at which a token is renewed at the latest.",
        update=PER_BROKER,
        effect=False,
    )
    sasl_login_refresh_min_period_seconds = short_option(
        "sasl.login.refresh.min.period.seconds",
        60,
        "Least time between two renewals of a token.",
        update=PER_BROKER,
        effect=False,
    )
    sasl_login_refresh_window_factor = double_option(
        "sasl.login.refresh.window.factor",
        0.8,
        "Part of a token's life after which it is renewed.",
        update=PER_BROKER,
        effect=False,
    )
    sasl_login_refresh_window_jitter = double_option(
        "sasl.login.refresh.window.jitter",
        0.05,
        "Random part of the time at which a token is renewed.",
        update=PER_BROKER,
        effect=False,
    )
    sasl_login_retry_backoff_max_ms = long_option(
        "sasl.login.retry.backoff.max.ms",
        10_000,
        "Max pause before the identity provider is asked again.",
        importance=LOW,
        effect=False,
    )
    sasl_login_retry_backoff_ms = long_option(
        "sasl.login.retry.backoff.ms",
        100,
        "First pause before the identity provider is asked again.",
        importance=LOW,
        effect=False,
    )
    sasl_oauthbearer_assertion_algorithm = string_option(
        "sasl.oauthbearer.assertion.algorithm",
        "RS256",
        "Algorithm that signs the assertion sent to the identity provider.",
        check=one_of_any_case("ES256", "RS256"),
        effect=False,
    )
    sasl_oauthbearer_assertion_claim_aud = string_option(
        "sasl.oauthbearer.assertion.claim.aud", None, "Audience claim of the assertion.", effect=False
    )
    sasl_oauthbearer_assertion_claim_exp_seconds = int_option(
        "sasl.oauthbearer.assertion.claim.exp.seconds",
        300,
        "How long the assertion is valid.",
        check=between(0, 86_400),
        importance=LOW,
        effect=False,
    )
    sasl_oauthbearer_assertion_claim_iss = string_option(
        "sasl.oauthbearer.assertion.claim.iss", None, "Issuer claim of the assertion.", effect=False
    )
    sasl_oauthbearer_assertion_claim_jti_include = boolean_option(
        "sasl.oauthbearer.assertion.claim.jti.include", False, "Whether the assertion gets a unique id.", effect=False
    )
    sasl_oauthbearer_assertion_claim_nbf_seconds = int_option(
        "sasl.oauthbearer.assertion.claim.nbf.seconds",
        60,
        "How far back the start of the assertion's validity lies.",
        check=between(0, 3600),
        importance=LOW,
        effect=False,
    )
    sasl_oauthbearer_assertion_claim_sub = string_option(
        "sasl.oauthbearer.assertion.claim.sub", None, "Subject claim of the assertion.", effect=False
    )
    sasl_oauthbearer_assertion_file = string_option(
        "sasl.oauthbearer.assertion.file", None, "File with a ready assertion.", effect=False
    )
    sasl_oauthbearer_assertion_private_key_file = string_option(
        "sasl.oauthbearer.assertion.private.key.file", None, "File with the key that signs the assertion.", effect=False
    )
    sasl_oauthbearer_assertion_private_key_passphrase = password_option(
        "sasl.oauthbearer.assertion.private.key.passphrase",
        "Passphrase of the key that signs the assertion.",
        effect=False,
    )
    sasl_oauthbearer_assertion_template_file = string_option(
        "sasl.oauthbearer.assertion.template.file",
        None,
        "File with claims and headers to put into the assertion.",
        effect=False,
    )
    sasl_oauthbearer_client_credentials_client_id = string_option(
        "sasl.oauthbearer.client.credentials.client.id",
        None,
        "Client id for the client credentials grant.",
        effect=False,
    )
    sasl_oauthbearer_client_credentials_client_secret = password_option(
        "sasl.oauthbearer.client.credentials.client.secret",
        "Client secret for the client credentials grant.",
        effect=False,
    )
    sasl_oauthbearer_clock_skew_seconds = int_option(
        "sasl.oauthbearer.clock.skew.seconds",
        30,
        "How far the clocks of broker and identity provider may differ.",
        importance=LOW,
        effect=False,
    )
    sasl_oauthbearer_expected_audience = list_option(
        "sasl.oauthbearer.expected.audience",
        (),
        "Audiences of which a token must name one.",
        check=no_blank_entries(),
        importance=LOW,
        effect=False,
    )
    sasl_oauthbearer_expected_issuer = string_option(
        "sasl.oauthbearer.expected.issuer", None, "Issuer a token must name.", importance=LOW, effect=False
    )
    sasl_oauthbearer_jwks_endpoint_refresh_ms = long_option(
        "sasl.oauthbearer.jwks.endpoint.refresh.ms",
        3_600_000,
        "How often the keys of the identity provider are fetched.",
        importance=LOW,
        effect=False,
    )
    sasl_oauthbearer_jwks_endpoint_retry_backoff_max_ms = long_option(
        "sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms",
        10_000,
        "Max pause before its keys are fetched again after a failure.",
        importance=LOW,
        effect=False,
    )
    sasl_oauthbearer_jwks_endpoint_retry_backoff_ms = long_option(
        "sasl.oauthbearer.jwks.endpoint.retry.backoff.ms",
        100,
        "First pause before its keys are fetched again after a failure.",
        importance=LOW,
        effect=False,
    )
    sasl_oauthbearer_jwks_endpoint_url = string_option(
        "sasl.oauthbearer.jwks.endpoint.url", None, "Where the keys of the identity provider are found.", effect=False
    )
    sasl_oauthbearer_jwt_retriever_class = class_option(
        "sasl.oauthbearer.jwt.retriever.class",
        "org.apache.kafka.common.security.oauthbearer.DefaultJwtRetriever",
        "Java class that gets tokens; Ottla loads no Java classes.",
        effect=False,
    )
    sasl_oauthbearer_jwt_validator_class = class_option(
        "sasl.oauthbearer.jwt.validator.class",
        "org.apache.kafka.common.security.oauthbearer.DefaultJwtValidator",
        "Java class that checks tokens; Ottla loads no Java classes.",
        effect=False,
    )
    sasl_oauthbearer_scope = string_option("sasl.oauthbearer.scope", None, "Scope that is asked for.", effect=False)
    sasl_oauthbearer_scope_claim_name = string_option(
        "sasl.oauthbearer.scope.claim.name",
        "scope",
        "Name of the claim that holds the scope.",
        importance=LOW,
        effect=False,
    )
    sasl_oauthbearer_sub_claim_name = string_option(
        "sasl.oauthbearer.sub.claim.name", "sub", "Name of the claim that holds the user.", importance=LOW, effect=False
    )
    sasl_oauthbearer_token_endpoint_url = string_option(
        "sasl.oauthbearer.token.endpoint.url", None, "Where tokens are asked for.", effect=False
    )
