"""Batches as files, once each: written aside, then moved into place, with a journal that a repeated batch follows.

    <path>/_ottla/<query id>/<batch id>/     the files of a batch while they are written; complete with _SUCCESS
    <path>/_ottla/<query id>/done            the last batch whose files are all in place

A repeated batch that is complete is only moved to the end; one that is not is written anew; one that is done is left
alone. Readers ignore names that start with `_`, so that they see whole files of complete batches and nothing else.
"""

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from ottla.pipeline.connect import is_remote
from ottla.pipeline.model import FileSink

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_JOURNAL: Final = "_ottla"
_DONE: Final = "done"
_COMPLETE: Final = "_SUCCESS"


def write_files(sink: FileSink, frame: "DataFrame", query_id: str, batch_id: int) -> None:
    if sink.format in ("delta", "iceberg"):
        _write_table(sink, frame, query_id, batch_id)
        return
    target = sink.path.rstrip("/")
    store: _Files
    if is_remote(frame.sparkSession):
        # Named as what it is: paths without a scheme are those of the server's default file system.
        target = f"file://{target.removeprefix('file://')}"
        store = LocalFiles()
    else:
        store = _HadoopFiles(frame.sparkSession, target)
    journal = f"{target}/{_JOURNAL}/{query_id}"
    if int(store.content(f"{journal}/{_DONE}") or -1) >= batch_id:
        return
    aside = f"{journal}/{batch_id}"
    if not store.exists(f"{aside}/{_COMPLETE}"):
        store.remove(aside)
        _save(sink, frame, aside)
    for path in store.files_in(aside):
        if not path.rpartition("/")[2].startswith(("_", ".")):
            store.move(f"{aside}/{path}", f"{target}/{_renamed(path, f'{query_id[:8]}-{batch_id:06d}')}")
    store.replace(f"{journal}/{_DONE}", str(batch_id))
    store.remove(aside)


def _renamed(path: str, batch: str) -> str:
    """Files keep their partition folders; their names start with query and batch, so that none meets another."""
    return re.sub(r"(^|/)part-(\d+)-[0-9a-f-]{36}(?=[^/]*$)", rf"\1part-{batch}-\2", path)


def _save(sink: FileSink, frame: "DataFrame", path: str) -> None:
    writer: Any = frame.write.format(sink.format).option("mapreduce.fileoutputcommitter.marksuccessfuljobs", "true")
    for name, value in sink.options.items():
        writer = writer.option(name, value)
    if sink.partition_by:
        writer = writer.partitionBy(*sink.partition_by)
    writer.save(path)


def _write_table(sink: FileSink, frame: "DataFrame", query_id: str, batch_id: int) -> None:
    """Delta skips a batch that it has (txnAppId, txnVersion); Iceberg has nothing like it: at least once."""
    mode = "overwrite" if sink.mode == "complete" else "append"
    writer: Any = frame.write.format(sink.format).mode(mode)
    for name, value in {"txnAppId": query_id, "txnVersion": str(batch_id), **sink.options}.items():
        writer = writer.option(name, value)
    if sink.partition_by:
        writer = writer.partitionBy(*sink.partition_by)
    writer.saveAsTable(sink.path) if sink.format == "iceberg" else writer.save(sink.path)


class _Files(Protocol):
    """What is needed of a file system, beside what Spark writes."""

    def exists(self, path: str) -> bool: ...

    def remove(self, path: str) -> None:
        """With all that is in it; nothing where there is none."""

    def content(self, path: str) -> str:
        """Empty where there is none."""

    def replace(self, path: str, content: str) -> None:
        """As a whole: a crash in between leaves the old one or none, and files that were moved are moved once."""

    def files_in(self, folder: str) -> list[str]:
        """Paths below the folder, of all depths."""

    def move(self, path: str, target: str) -> None: ...


class _HadoopFiles:
    """Any file system that Spark knows, by Hadoop's own API."""

    def __init__(self, spark: Any, path: str) -> None:
        self._path = spark._jvm.org.apache.hadoop.fs.Path
        self._files = self._path(path).getFileSystem(spark._jsc.hadoopConfiguration())

    def exists(self, path: str) -> bool:
        return bool(self._files.exists(self._path(path)))

    def remove(self, path: str) -> None:
        self._files.delete(self._path(path), True)

    def content(self, path: str) -> str:
        if not self.exists(path):
            return ""
        stream = self._files.open(self._path(path))
        try:
            return bytes(stream.readAllBytes()).decode()
        finally:
            stream.close()

    def replace(self, path: str, content: str) -> None:
        new = self._path(f"{path}.new")
        stream = self._files.create(new, True)
        try:
            stream.write(bytearray(content.encode()))
        finally:
            stream.close()
        self._files.delete(self._path(path), False)
        self._files.rename(new, self._path(path))

    def files_in(self, folder: str) -> list[str]:
        root = str(self._files.getFileStatus(self._path(folder)).getPath())
        found = self._files.listFiles(self._path(folder), True)
        paths = []
        while found.hasNext():
            paths.append(str(found.next().getPath().toString())[len(root) :].strip("/"))
        return paths

    def move(self, path: str, target: str) -> None:
        place = self._path(target)
        self._files.mkdirs(place.getParent())
        if not self._files.rename(self._path(path), place):
            raise OSError(f"cannot move {path} to {target}")


class LocalFiles:
    """Folders of this machine, as `file://` addresses: for a Python process of a Connect server, which has no JVM."""

    def exists(self, path: str) -> bool:
        return _local(path).exists()

    def remove(self, path: str) -> None:
        shutil.rmtree(_local(path), ignore_errors=True)

    def content(self, path: str) -> str:
        return _local(path).read_text() if self.exists(path) else ""

    def replace(self, path: str, content: str) -> None:
        new = _local(f"{path}.new")
        new.write_text(content)
        new.replace(_local(path))

    def files_in(self, folder: str) -> list[str]:
        root = _local(folder)
        return [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]

    def move(self, path: str, target: str) -> None:
        place = _local(target)
        place.parent.mkdir(parents=True, exist_ok=True)
        _local(path).rename(place)


def _local(path: str) -> Path:
    return Path(path.removeprefix("file://"))
