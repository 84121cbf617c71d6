"""A TCP proxy between a client and a broker that resets connections, delays bytes, or holds them back."""

import contextlib
import selectors
import socket
import struct
import threading
import time

_CHUNK = 64 * 1024
#: With these a close is a reset: what is under way is lost.
_RESET = struct.pack("ii", 1, 0)


class TcpProxy:
    """One thread for each connection and direction. `port` is where clients connect."""

    def __init__(self, port: int, target_port: int) -> None:
        self.port = port
        self._target_port = target_port
        self.delay_s = 0.0
        self._flows = threading.Event()
        self._flows.set()
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._lock = threading.Lock()
        self._listening = socket.create_server(("127.0.0.1", port), backlog=64)
        self._is_closed = False
        threading.Thread(target=self._accept, daemon=True).start()

    def hold(self) -> None:
        """Bytes stay where they are until `release`."""
        self._flows.clear()

    def release(self) -> None:
        self._flows.set()

    def reset_all(self) -> int:
        """Breaks every connection; how many there were."""
        with self._lock:
            pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for end in pair:
                with contextlib.suppress(OSError):
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                    end.shutdown(socket.SHUT_RDWR)
                end.close()
        return len(pairs)

    def close(self) -> None:
        self._is_closed = True
        self._listening.close()
        self.release()
        self.reset_all()

    def _accept(self) -> None:
        while not self._is_closed:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            try:
                broker = socket.create_connection(("127.0.0.1", self._target_port), 5)
            except OSError:
                client.close()
                continue
            with self._lock:
                self._pairs.append((client, broker))
            for source, sink in ((client, broker), (broker, client)):
                threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError), selectors.DefaultSelector() as selector:
            selector.register(source, selectors.EVENT_READ)
            while selector.select():
                data = source.recv(_CHUNK)
                if not data:
                    break
                self._flows.wait()
                time.sleep(self.delay_s)
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
