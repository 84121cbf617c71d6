"""Apache Kafka with TLS and SASL, and the settings of clients that log in."""

from pathlib import Path
from typing import Any

from ottla.client import Admin
from tests.support.certificates import Certificates
from tests.support.kafka_process import KafkaProcess

#: Clients log in again after this time.
SESSION_MS = 1500


class SecureKafka:
    """Owned by a fixture, which kills `process`."""

    def __init__(self, directory: Path) -> None:
        self.certificates = Certificates(directory)
        server = self.certificates.certificate("server")
        self.client = self.certificates.certificate("client")
        (directory / "other").mkdir()
        self.other_ca = Certificates(directory / "other").ca
        jaas = "org.apache.kafka.common.security"
        login = f"{jaas}.scram.ScramLoginModule required;"
        plain = f'{jaas}.plain.PlainLoginModule required user_alice="a,b=c";'
        self.process = KafkaProcess(
            directory,
            {
                "listener.name.sasl_ssl.sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512",
                "listener.name.sasl_ssl.plain.sasl.jaas.config": plain,
                "listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config": login,
                "listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config": login,
                "listener.name.sasl_ssl.connections.max.reauth.ms": str(SESSION_MS),
                "connections.max.reauth.ms": str(SESSION_MS),
                "listener.name.ssl.ssl.client.auth": "required",
                "ssl.keystore.type": "PEM",
                "ssl.keystore.location": str(server),
                "ssl.truststore.type": "PEM",
                "ssl.truststore.location": str(self.certificates.ca),
                "inter.broker.listener.name": "PLAINTEXT",
            },
            listeners="PLAINTEXT://127.0.0.1:{port},SASL_SSL://127.0.0.1:{port2},SSL://127.0.0.1:{port3}",
            listener_security_protocol_map="PLAINTEXT:PLAINTEXT,SASL_SSL:SASL_SSL,SSL:SSL",
        ).start()
        with Admin(bootstrap_servers=self.process.address) as admin:
            for mechanism in ("SCRAM-SHA-256", "SCRAM-SHA-512"):
                admin.set_scram_credential("alice", "a,b=c", mechanism=mechanism)

    def sasl(self, **changes: Any) -> dict[str, Any]:
        return {
            "bootstrap_servers": f"127.0.0.1:{self.process.other_ports[0]}",
            "security_protocol": "SASL_SSL",
            "sasl_mechanism": "SCRAM-SHA-512",
            "sasl_username": "alice",
            "sasl_password": "a,b=c",
            "ssl_truststore_location": str(self.certificates.ca),
            **changes,
        }

    def tls(self, **changes: Any) -> dict[str, Any]:
        return {
            "bootstrap_servers": f"127.0.0.1:{self.process.other_ports[1]}",
            "security_protocol": "ssl",
            "ssl_truststore_location": str(self.certificates.ca),
            "ssl_keystore_location": str(self.client),
            **changes,
        }
