"""A CA and certificates for tests, made with the `openssl` program."""

import shutil
import subprocess
from pathlib import Path

import pytest


class Certificates:
    """`ca` signs; a certificate is one PEM file with key and certificate. All live for a day."""

    def __init__(self, directory: Path) -> None:
        if shutil.which("openssl") is None:
            pytest.skip("certificates cannot be made: there is no `openssl` on the PATH")
        self._directory = directory
        self.ca = directory / "ca.pem"
        self._ca_key = directory / "ca.key"
        self._run("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=test ca",
                  "-keyout", str(self._ca_key), "-out", str(self.ca))  # fmt: skip

    def certificate(self, name: str, *, alternative_names: str = "IP:127.0.0.1,DNS:localhost") -> Path:
        key, request, signed = (self._directory / f"{name}.{kind}" for kind in ("key", "csr", "crt"))
        extensions = self._directory / f"{name}.ext"
        extensions.write_text(f"subjectAltName={alternative_names}\n")
        self._run("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", str(key),
                  "-out", str(request))  # fmt: skip
        self._run("x509", "-req", "-in", str(request), "-CA", str(self.ca), "-CAkey", str(self._ca_key),
                  "-CAcreateserial", "-days", "1", "-extfile", str(extensions), "-out", str(signed))  # fmt: skip
        both = self._directory / f"{name}.pem"
        both.write_text(key.read_text() + signed.read_text())
        return both

    def _run(self, *words: str) -> None:
        subprocess.run(["openssl", *words], check=True, capture_output=True, timeout=60)
