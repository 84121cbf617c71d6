"""Batches as files, once each: written aside, then moved into place, with a journal that a repeated batch follows.

    <path>/_ottla/<query id>/<batch id>/     the files of a batch while they are written; complete with _SUCCESS
    <path>/_ottla/<query id>/done            the last batch whose files are all in place

A repeated batch that is complete is only moved to the end; one that is not is written anew; one that is done is left
alone. Readers ignore names that start with `_`, so that they see whole files of complete batches and nothing else.
"""

import re
from typing import TYPE_CHECKING, Any, Final

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
    store = _Store(frame.sparkSession, f"{sink.path.rstrip('/')}/{_JOURNAL}/{query_id}")
    if store.last_done() >= batch_id:
        return
    aside = f"{store.journal}/{batch_id}"
    if not store.exists(f"{aside}/{_COMPLETE}"):
        store.remove(aside)
        _save(sink, frame, aside)
    store.move_all(aside, sink.path.rstrip("/"), f"{query_id[:8]}-{batch_id:06d}")
    store.set_done(batch_id)
    store.remove(aside)


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


class _Store:
    """A folder of any file system that Spark knows, by Hadoop's own API."""

    def __init__(self, spark: Any, journal: str) -> None:
        self.journal = journal
        self._jvm = spark._jvm
        path = self._path(journal)
        self._files = path.getFileSystem(spark._jsc.hadoopConfiguration())

    def _path(self, text: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(text)

    def exists(self, path: str) -> bool:
        return bool(self._files.exists(self._path(path)))

    def remove(self, path: str) -> None:
        self._files.delete(self._path(path), True)

    def last_done(self) -> int:
        if not self.exists(f"{self.journal}/{_DONE}"):
            return -1
        stream = self._files.open(self._path(f"{self.journal}/{_DONE}"))
        try:
            return int(bytes(stream.readAllBytes()))
        finally:
            stream.close()

    def set_done(self, batch_id: int) -> None:
        """Replaced as a whole: a crash in between leaves the old one or none, and moved files are moved once."""
        new = self._path(f"{self.journal}/{_DONE}.new")
        stream = self._files.create(new, True)
        try:
            stream.write(bytearray(str(batch_id).encode()))
        finally:
            stream.close()
        self._files.delete(self._path(f"{self.journal}/{_DONE}"), False)
        self._files.rename(new, self._path(f"{self.journal}/{_DONE}"))

    def move_all(self, aside: str, target: str, name: str) -> None:
        """Files keep their partition folders; their names start with query and batch, so that none meets another."""
        root = str(self._files.getFileStatus(self._path(aside)).getPath())
        found = self._files.listFiles(self._path(aside), True)
        while found.hasNext():
            path = found.next().getPath()
            if path.getName().startswith(("_", ".")):
                continue
            inner = str(path.getParent().toString())[len(root) :].strip("/")
            folder = f"{target}/{inner}" if inner else target
            place = self._path(folder)
            self._files.mkdirs(place)
            new_name = re.sub(r"^part-(\d+)-[0-9a-f-]{36}", rf"part-{name}-\1", path.getName())
            moved = self._files.rename(path, self._jvm.org.apache.hadoop.fs.Path(place, new_name))
            if not moved:
                raise OSError(f"cannot move {path} to {folder}")
