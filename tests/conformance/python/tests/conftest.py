"""The server, and for each case a consistency group that no other case knows."""

import os
import re
import time
import uuid

import grpc
import pytest

from support import server as servers
from support.contract import rpc
from support.coverage import Coverage
from support.elements import octets, seconds
from support.group import Group
from support.history import Histories

_coverage = Coverage()
_histories = Histories(os.environ.get("TASKMASTER_HISTORIES"))


def stub(address, *, max_reply_bytes=64 << 20):
    """Of a channel of its own. Only the generated code and gRPC stand between a case and the wire."""
    channel = grpc.insecure_channel(
        address,
        options=[
            ("grpc.max_send_message_length", -1),
            ("grpc.max_receive_message_length", max_reply_bytes),
            ("grpc.use_local_subchannel_pool", 1),
            ("grpc.initial_reconnect_backoff_ms", 50),
            ("grpc.max_reconnect_backoff_ms", 200),
        ],
    )
    recorders = _histories.interceptors(*servers.data_at(address))
    return channel, rpc.TaskMasterStub(grpc.intercept_channel(channel, _coverage, *recorders))


@pytest.fixture(scope="session")
def address():
    """Of the server under test: the one in TASKMASTER_SERVER, or one that is started for the run."""
    given = os.environ.get("TASKMASTER_SERVER")
    if given:
        yield given
        return
    if not servers.command():
        pytest.fail("no server: set TASKMASTER_SERVER=host:port, or TASKMASTER_COMMAND to the command that starts one")
    with servers.running() as server:
        yield server.address


@pytest.fixture(scope="session")
def shared_stub(address):
    channel, made = stub(address)
    with channel:
        yield made


@pytest.fixture
def plain_stub(address):
    """As people get it who say nothing of sizes: replies of up to 4 MB."""
    channel, made = stub(address, max_reply_bytes=4 << 20)
    with channel:
        yield made


@pytest.fixture(scope="session")
def skew(shared_stub):
    """How far the server's clock is ahead of ours, in seconds: the time of an enqueue tells."""
    group = Group(shared_stub, _unique("clock"))
    before = time.time()
    group.enqueue("clock", "tick")
    after = time.time()
    offset = seconds(group.tasks("clock")[0].enqueued) - (before + after) / 2
    group.delete("clock")
    # Within the time of a call they agree; a machine has one clock.
    return offset if abs(offset) > after - before + 0.1 else 0.0


@pytest.fixture
def tm(shared_stub, skew, request):
    """A consistency group of the case's own."""
    return Group(shared_stub, _unique(request.node.name), skew)


@pytest.fixture
def unique():
    """A queue name, safe in patterns, that no other case uses: for what reaches over groups."""
    return f"q{uuid.uuid4().hex}"


@pytest.fixture
def own_server():
    """Starts servers of the case's own; skipped where the suite only has an address."""
    if not servers.command():
        pytest.skip("needs TASKMASTER_COMMAND")
    opened = []

    def start(*settings):
        context = servers.running(*settings)
        process = context.__enter__()
        opened.append(context)
        return process

    yield start
    for context in opened:
        context.__exit__(None, None, None)


@pytest.fixture
def connect(request):
    """Connects to a server of the case's own: a group of its own there, or the one that has this name."""
    yield from _connections(request.node.name)


@pytest.fixture(scope="module")
def connect_module(request):
    """The same, for what all cases of a module share."""
    yield from _connections(request.node.name)


def _connections(case):
    channels = []

    def connect(server, name=None):
        channel, made = stub(server.address)
        channels.append(channel)
        return Group(made, _unique(case) if name is None else octets(name))

    yield connect
    for channel in channels:
        channel.close()


def _unique(name):
    return re.sub(r"\W+", "-", name)[:60].encode() + b"-" + uuid.uuid4().hex[:12].encode()


def pytest_sessionfinish(session, exitstatus):
    """Every call must have been recorded. After a whole run without failures, every part of the contract must have been seen."""
    problems = _histories.problems()
    if problems:
        session.config.get_terminal_writer().line(f"\nnot recorded: {problems}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    if os.environ.get("TASKMASTER_WHOLE_CONTRACT") and exitstatus == 0 and not session.config.option.collectonly:
        missing = _coverage.missing()
        if missing:
            session.config.get_terminal_writer().line(f"\nnever seen in this run: {', '.join(missing)}", red=True)
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
