"""The server under test, as a process of its own: started by the command in TASKMASTER_COMMAND, seen only over the network."""

import contextlib
import errno
import os
import pathlib
import random
import shlex
import socket
import subprocess
import tempfile
import time

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from support.contract import REPOSITORY

SERVICE = "taskmaster.v1.TaskMaster"
START = 300
"""Seconds until it must serve: the launcher may have to build it first."""

# Port 0 would leave the address to be found in the log. One that was free a moment ago is as good, with a few attempts.
ATTEMPTS = 5


def command():
    """The words that start a server, before the flags of the suite; None if there are none."""
    given = os.environ.get("TASKMASTER_COMMAND")
    if given:
        return shlex.split(given)
    launcher = REPOSITORY / "taskmaster"
    return [str(launcher), "server"] if launcher.exists() else None


def has_own_disk():
    """Whether the data of these servers are on a disk that they look after themselves. Another store says itself when it has no room."""
    return os.environ.get("TASKMASTER_STORE", "rocksdb") == "rocksdb"


_data = {}
"""The name and the settings of the data behind each address where one of our servers is, or was last."""


def data_at(address):
    """The name of the data that a server at an address has, and its settings; of a server that others started, nothing is known."""
    return _data.get(address, ("given", ()))


class ServerProcess:
    """One data folder, and at most one process on it at a time."""

    def __init__(self, folder, *settings):
        self.folder = pathlib.Path(folder)
        self.address = None
        self._settings = settings
        self._process = None
        self._log = self.folder / "server.log"

    def start(self):
        """Starts it on the data that are there; comes back when it serves."""
        for attempt in range(ATTEMPTS):
            self._launch()
            if self._awaits_serving():
                return self
            if "in use" not in self.log() or attempt == ATTEMPTS - 1:
                raise AssertionError(f"the server ended before it served:\n{self.log()}")
            self.address = None

    def crash(self):
        """SIGKILL: nothing is drained, flushed or said."""
        self._process.kill()
        self._process.wait()

    def restart(self, *settings):
        """SIGKILL, and a new process on the same data and address, with these settings beside and before those it had."""
        self.crash()
        self._settings += settings
        return self.start()

    def terminate(self):
        """SIGTERM: it drains; the exit status."""
        self._process.terminate()
        return self._process.wait(timeout=120)

    def stop(self):
        if self._process and self._process.poll() is None:
            self.crash()

    def log(self):
        return self._log.read_text(errors="replace")[-4000:]

    def _launch(self):
        if self.address is None:
            self.address = f"127.0.0.1:{_free_port()}"
            _data[self.address] = (self.folder.name, self._settings)
        words = command() + ["--data", str(self.folder / "data"), "--listen", self.address, "--http", "127.0.0.1:0"]
        for setting in self._settings:
            words += ["--set", setting]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def _awaits_serving(self):
        end = time.monotonic() + START
        while self._process.poll() is None:
            if is_serving(self.address):
                return True
            assert time.monotonic() < end, f"the server does not serve after {START} s:\n{self.log()}"
            time.sleep(0.05)
        return False


def is_serving(address):
    """What the health service says of the service of the contract."""
    # Cheaper to ask often than a channel is, on a machine that is busy starting the server.
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=2).close()
    except OSError:
        return False
    # Without its own pool, the channel would share back-off with others that tried the same address too early.
    with grpc.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
        try:
            reply = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service=SERVICE), timeout=2)
        except grpc.RpcError:
            return False
        return reply.status == health_pb2.HealthCheckResponse.SERVING


@contextlib.contextmanager
def running(*settings):
    """A server of one's own with these settings, on a fresh folder; both are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="taskmaster-conformance-") as folder:
        server = ServerProcess(folder, *settings)
        try:
            yield server.start()
        finally:
            server.stop()


def _free_port():
    """Not one of those that outgoing connections get: while the server is down its clients might take it."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError as taken:
                if taken.errno != errno.EADDRINUSE:
                    raise
