"""Refusals as the contract has them: a gRPC status, and in its details an ErrorInfo, with a RetryInfo where there is a delay to keep."""

import contextlib

import grpc
from google.rpc import code_pb2, error_details_pb2
from grpc_status import rpc_status

from support.elements import seconds

DOMAIN = "taskmaster.io"


class Refusal:
    """What a call was refused with."""

    def __init__(self):
        self.error = None
        self.info = None
        self.retry_delay = None

    def read(self, error):
        self.error = error
        status = rpc_status.from_call(error)
        assert status is not None, f"no grpc-status-details-bin in {error}"
        assert status.code == error.code().value[0]
        assert status.message == error.details() != ""
        for detail in status.details:
            if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
                self.info = error_details_pb2.ErrorInfo()
                detail.Unpack(self.info)
            elif detail.Is(error_details_pb2.RetryInfo.DESCRIPTOR):
                retry = error_details_pb2.RetryInfo()
                detail.Unpack(retry)
                self.retry_delay = seconds(retry.retry_delay)


@contextlib.contextmanager
def refused(reason, code=grpc.StatusCode.INVALID_ARGUMENT, advice="CALLER_FAULT"):
    """Expects that the call is refused, for this reason and no other."""
    refusal = Refusal()
    try:
        yield refusal
    except grpc.RpcError as error:
        refusal.read(error)
    assert refusal.error is not None, f"not refused (expected: {reason})"
    assert refusal.info is not None, f"no ErrorInfo in {refusal.error}"
    seen = (refusal.info.reason, refusal.error.code(), refusal.info.domain, refusal.info.metadata["advice"])
    assert seen == (reason, code, DOMAIN, advice), refusal.error.details()


def overloaded(reason):
    """Expects that the call is refused for now: nothing was done, and a RetryInfo says when to come again."""
    return _with_retry_delay(refused(reason, grpc.StatusCode.RESOURCE_EXHAUSTED, "RETRY_LATER"))


@contextlib.contextmanager
def _with_retry_delay(expectation):
    with expectation as refusal:
        yield refusal
    assert refusal.retry_delay is not None, "no RetryInfo"
    assert refusal.retry_delay > 0


def is_error(result, reason, code=code_pb2.INVALID_ARGUMENT):
    """Expects that the result of an operation in a batch is this error."""
    assert result.WhichOneof("kind") == "error", result
    assert (result.error.reason, result.error.code) == (reason, code), result
    assert result.error.message
