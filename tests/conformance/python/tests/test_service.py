"""The service on the wire: health, methods, deadlines, and clients that know more or less than this contract."""

import grpc
import pytest

from grpc_health.v1 import health_pb2, health_pb2_grpc

from support import server as servers
from support.contract import pb
from support.elements import enqueue


def test_the_health_service_says_that_it_serves(address):
    assert servers.is_serving(address)
    with grpc.insecure_channel(address) as channel:
        overall = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=30)
    assert overall.status == health_pb2.HealthCheckResponse.SERVING


@pytest.mark.parametrize("method", [method.name for method in pb.DESCRIPTOR.services_by_name["TaskMaster"].methods])
def test_every_method_of_the_contract_is_served(address, method):
    with grpc.insecure_channel(address) as channel:
        call = channel.unary_unary(f"/taskmaster.v1.TaskMaster/{method}")
        # A request of nothing is fine, or the caller's fault.
        try:
            call(b"", timeout=30)
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.INVALID_ARGUMENT


def test_a_method_that_is_none_is_unimplemented(address):
    with grpc.insecure_channel(address) as channel:
        call = channel.unary_unary("/taskmaster.v1.TaskMaster/Nothing")
        with pytest.raises(grpc.RpcError) as refusal:
            call(b"", timeout=30)
    assert refusal.value.code() == grpc.StatusCode.UNIMPLEMENTED


def test_a_field_from_the_future_is_passed_over(tm):
    """Field 1000 of UpdateRequest, a varint: what a newer client might send."""
    request = tm.update_request(enqueue("q", "pid"))
    newer = pb.UpdateRequest.FromString(request.SerializeToString() + b"\xc0\x3e\x01")

    assert tm.stub.UpdateTasks(newer, timeout=60).success
    assert tm.pids("q") == [b"pid"]


def test_bytes_that_are_no_message_harm_nobody(tm, address):
    with grpc.insecure_channel(address) as channel:
        call = channel.unary_unary("/taskmaster.v1.TaskMaster/UpdateTasks")
        for garbage in (b"\xff", b"\x12\xff\xff\xff\xff\x0f", bytes(range(1, 200))):
            with pytest.raises(grpc.RpcError) as refusal:
                call(garbage, timeout=30)
            assert refusal.value.code() != grpc.StatusCode.DEADLINE_EXCEEDED

    tm.enqueue("q", "pid")
    assert tm.pids("q") == [b"pid"]


def test_the_deadline_of_a_call_ends_a_long_poll_without_taking_a_task(tm):
    with pytest.raises(grpc.RpcError) as refusal:
        tm.stub.LeaseTasks(tm.lease_request("q", wait=60), timeout=0.3)
    # gRPC on the server knows the deadline too, and may be the first to end the call.
    assert refusal.value.code() in (grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED)
    for _ in range(20):
        tm.peek("q")

    tm.enqueue("q", "pid")

    assert tm.lease_one("q", wait=30).attempt == 1


def test_a_client_that_went_away_leaves_no_long_poll_behind(tm, address):
    from conftest import stub

    channel, gone = stub(address)
    poll = gone.LeaseTasks.future(tm.lease_request("q", wait=60), timeout=100)
    gone.PeekTasks(pb.PeekRequest(group=tm.name, queue=b"q"), timeout=60)
    channel.close()
    assert poll.cancelled() or poll.exception()
    waiting = tm.poll("q")
    for _ in range(20):
        tm.peek("q")

    tm.enqueue("q", "1", "2")

    assert sorted(task.pid for task in [*waiting.result().tasks, *tm.lease("q", wait=30)]) == [b"1", b"2"]


@pytest.mark.parametrize("service_class", [pb.INTERACTIVE, pb.BULK])
def test_both_service_classes_are_served(tm, service_class):
    assert tm.update(enqueue("q", "pid"), service_class=service_class).success
    assert len(tm.lease("q", service_class=service_class)) == 1
    poll = tm.poll("q", service_class=service_class)
    tm.enqueue("q", "2")
    assert [task.pid for task in poll.result().tasks] == [b"2"]
