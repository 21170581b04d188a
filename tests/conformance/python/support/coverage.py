"""What of the contract a run has seen: every field with a value of its own, every value of every enum, every reason of a refusal.

An interceptor looks at every message that goes out or comes in. At the end of a whole run, what was never seen fails it, so that a
field added to the contract without a case for it does not go unnoticed.
"""

import re

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from support import server as servers
from support.contract import REPOSITORY, pb

ONE_NODE_ALONE = {
    # A server on its own has no other node that could be out of reach.
    "ListReply.unreachable_nodes",
    "DescribeReply.unreachable_nodes",
}


OWN_DISK_ALONE = {"STORE_FULL"}


class Coverage(grpc.UnaryUnaryClientInterceptor):
    """Thread-safe: sets only grow."""

    def __init__(self):
        self.fields = set()
        self.reasons = set()

    def intercept_unary_unary(self, continuation, client_call_details, request):
        self._look_at(request)
        call = continuation(client_call_details, request)
        call.add_done_callback(self._done)
        return call

    def missing(self):
        """What a whole run ought to have seen and has not."""
        return sorted((_all_fields() - ONE_NODE_ALONE - self.fields) | (_all_reasons() - _impossible_reasons() - self.reasons))

    def _done(self, call):
        if call.cancelled():
            return
        error = call.exception()
        if error is None:
            self._look_at(call.result())
            return
        status = rpc_status.from_call(error) if isinstance(error, grpc.Call) else None
        for detail in status.details if status else ():
            info = error_details_pb2.ErrorInfo()
            if detail.Unpack(info):
                self.reasons.add(info.reason)

    def _look_at(self, message):
        if not message.DESCRIPTOR.file.name.startswith("taskmaster"):
            return
        name = _name(message.DESCRIPTOR)
        for field, value in message.ListFields():
            self.fields.add(f"{name}.{field.name}")
            values = list(value) if field.is_repeated else [value]
            if field.enum_type:
                self.fields.update(f"{_name(field.enum_type)}={number}" for number in values)
            elif field.message_type and not field.message_type.GetOptions().map_entry:
                for part in values:
                    self._look_at(part)
        if isinstance(message, pb.Error):
            self.reasons.add(message.reason)
        # What has the default value is not on the wire.
        self.fields.update(
            f"{_name(field.enum_type)}=0"
            for field in message.DESCRIPTOR.fields
            if field.enum_type and not field.is_repeated and getattr(message, field.name) == 0
        )


def _all_fields():
    expected = set()
    messages = list(pb.DESCRIPTOR.message_types_by_name.values())
    enums = list(pb.DESCRIPTOR.enum_types_by_name.values())
    while messages:
        message = messages.pop()
        if not message.GetOptions().map_entry:
            expected.update(f"{_name(message)}.{field.name}" for field in message.fields)
            messages += message.nested_types
            enums += message.enum_types
    expected.update(f"{_name(enum)}={value.number}" for enum in enums for value in enum.values)
    return expected


def _impossible_reasons():
    return set() if servers.has_own_disk() else OWN_DISK_ALONE


def _all_reasons():
    """Those of docs/errors.md that a caller can provoke: his own fault, but for what only HTTP knows, and too much for the node."""
    table = (REPOSITORY / "docs/errors.md").read_text()
    return set(re.findall(r"^\| `([A-Z_]+)` \| `(?:INVALID_ARGUMENT|RESOURCE_EXHAUSTED)` \| `[A-Z_]+` \| (?!HTTP only)", table, re.MULTILINE))


def _name(descriptor):
    return descriptor.full_name.removeprefix("taskmaster.v1.")
