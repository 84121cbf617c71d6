"""All settings of a broker, put together from the tables by noun."""

from ottla.config.broker_group_options import BrokerGroupOptions
from ottla.config.broker_log_options import BrokerLogOptions
from ottla.config.broker_login_options import BrokerLoginOptions
from ottla.config.broker_metrics_options import BrokerMetricsOptions
from ottla.config.broker_network_options import BrokerNetworkOptions
from ottla.config.broker_oauth_options import BrokerOauthOptions
from ottla.config.broker_own_options import BrokerOwnOptions
from ottla.config.broker_quorum_options import BrokerQuorumOptions
from ottla.config.broker_remote_options import BrokerRemoteOptions
from ottla.config.broker_replication_options import BrokerReplicationOptions
from ottla.config.broker_share_options import BrokerShareOptions
from ottla.config.broker_streams_options import BrokerStreamsOptions
from ottla.config.broker_tls_options import BrokerTlsOptions
from ottla.config.broker_topic_options import BrokerTopicOptions
from ottla.config.broker_transaction_options import BrokerTransactionOptions


class BrokerOptions(
    BrokerQuorumOptions,
    BrokerNetworkOptions,
    BrokerTopicOptions,
    BrokerLogOptions,
    BrokerReplicationOptions,
    BrokerGroupOptions,
    BrokerShareOptions,
    BrokerStreamsOptions,
    BrokerTransactionOptions,
    BrokerLoginOptions,
    BrokerOauthOptions,
    BrokerTlsOptions,
    BrokerMetricsOptions,
    BrokerRemoteOptions,
    BrokerOwnOptions,
):
    """Every row of the broker, Kafka's and Ottla's."""

    def _completed(self, given: dict[str, str]) -> dict[str, str]:
        # Kafka had broker.id first; whichever is given counts for both.
        for name, twin in (("node.id", "broker.id"), ("broker.id", "node.id")):
            if name in given and twin not in given:
                given[twin] = given[name]
        return given

    @property
    def log_directories(self) -> tuple[str, ...]:
        """log.dirs, else log.dir, else none: then whoever starts the broker has to choose."""
        return self.log_dirs or self.log_dir or ()
