"""What the suite asks and is told, as histories that TaskMaster's oracle judges (docs/histories.md): a file for each server's data.

A line when a call is about to be sent, and one when its outcome is known, so that a run that is killed leaves behind what it had in
flight. What a server was set to is beside its history, in a file of the same name that ends in .settings.
"""

import copy
import hashlib
import json
import os
import pathlib
import threading
import time

import grpc
from google.protobuf import json_format
from google.rpc import error_details_pb2
from grpc_status import rpc_status

DOMAIN = "taskmaster.io"

NOTHING_DONE = {"CALLER_FAULT", "NOT_SERVED", "RETRY_LATER"}
"""Advices of errors that say that a call had no effect, and never will."""

LARGE = 1 << 10
"""Bytes of data of which only a hash is written: the oracle looks whether data are the same, and at nothing else of them."""

PLAIN_REFUSALS = {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.UNIMPLEMENTED}
"""What a gRPC layer may say of a call that never got further. Of all others, nobody knows."""


class Recorder(grpc.UnaryUnaryClientInterceptor):
    """Records every call of the channels that it is put on, nearest to the wire. Thread-safe."""

    def __init__(self, path):
        self._lock = threading.Lock()
        self._last = 0
        self._file = path.open("x", encoding="utf-8")
        self.problems = []

    def intercept_unary_unary(self, continuation, client_call_details, request):
        with self._lock:
            self._last += 1
            number = self._last
        asked = {
            "event": "invoked",
            "number": number,
            "client": os.environ.get("PYTEST_CURRENT_TEST", "").split(" ")[0],
            "micros": _micros(),
            "method": client_call_details.method.rpartition("/")[2],
        }
        try:
            asked["request"] = _as_json(request)
        except (ValueError, json_format.Error):
            # A time that JSON cannot say. Nobody may do anything with such a request.
            writable = False
        else:
            writable = True
            self._write(asked)
        call = continuation(client_call_details, request)
        call.add_done_callback(lambda done: self._completed(number, writable, asked, done))
        return call

    def _completed(self, number, writable, asked, call):
        try:
            told = {"event": "completed", "number": number, "micros": _micros(), **_outcome(call)}
            if writable:
                self._write(told)
            elif told["outcome"] != "failed":
                raise AssertionError(f"done, and cannot be written down: {asked}: {told}")
        except Exception as problem:
            # Who calls back may not care.
            self.problems.append(problem)
            raise

    def _write(self, event):
        line = json.dumps(event, separators=(",", ":"))
        with self._lock:
            self._file.write(line + "\n")
            self._file.flush()


class Histories:
    """The recorders of a run: one for each server's data. Thread-safe."""

    def __init__(self, folder):
        """
        :param folder: where they go; None: nothing is recorded
        """
        self._folder = None if folder is None else pathlib.Path(folder)
        self._recorders = {}
        self._lock = threading.Lock()

    def interceptors(self, name, settings=()):
        """What a channel to the server is put together with.

        :param name: of the server's data
        :param settings: what the server was set to, as key=value
        """
        if self._folder is None:
            return []
        with self._lock:
            if name not in self._recorders:
                self._folder.mkdir(parents=True, exist_ok=True)
                stem = f"{name}-{os.getpid()}"
                (self._folder / f"{stem}.settings").write_text("".join(f"{setting}\n" for setting in settings), encoding="utf-8")
                self._recorders[name] = Recorder(self._folder / f"{stem}.jsonl")
            return [self._recorders[name]]

    def problems(self):
        """Why some call is not recorded; none, if all is well."""
        return [problem for recorder in self._recorders.values() for problem in recorder.problems]


def _micros():
    return time.time_ns() // 1000


def _as_json(message):
    if message.ByteSize() > LARGE:
        message = copy.deepcopy(message)
        _shorten(message)
    return json_format.MessageToDict(message)


def _shorten(message):
    for field, value in message.ListFields():
        if field.message_type and not field.message_type.GetOptions().map_entry:
            for part in value if field.is_repeated else [value]:
                _shorten(part)
        elif field.name == "data" and len(value) > LARGE:
            message.data = f"{len(value)} bytes, {hashlib.sha256(value).hexdigest()}".encode()


def _outcome(call):
    if call.cancelled():
        return _error("unknown", grpc.StatusCode.CANCELLED)
    error = call.exception()
    if error is None:
        return {"outcome": "replied", "reply": _as_json(call.result())}
    if not isinstance(error, grpc.Call):
        return {"outcome": "unknown", "code": "", "reason": ""}
    status = rpc_status.from_call(error)
    for detail in status.details if status else ():
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info) and info.domain == DOMAIN:
            return _error("failed" if info.metadata["advice"] in NOTHING_DONE else "unknown", error.code(), info.reason)
    return _error("failed" if error.code() in PLAIN_REFUSALS else "unknown", error.code())


def _error(outcome, code, reason=""):
    return {"outcome": outcome, "code": code.name, "reason": reason}
