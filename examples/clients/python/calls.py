"""Connects to a server, and repeats requests until they are answered."""

import os
import random
import time

import grpc

import taskmaster_pb2_grpc as rpc

SERVER = os.environ.get("TASKMASTER_SERVER", "127.0.0.1:7400")
GROUP = os.environ.get("TASKMASTER_GROUP", "").encode()
REPEATED = {"UNAVAILABLE", "RESOURCE_EXHAUSTED", "UNKNOWN", "DEADLINE_EXCEEDED"}


def connect():
    """Returns a stub; over TLS if TASKMASTER_CA names a file with the authority, which a token needs."""
    # The largest reply and some room; and a connection is tried again after 5 s at most, not 2 minutes.
    options = [("grpc.max_receive_message_length", 40 << 20), ("grpc.max_reconnect_backoff_ms", 5000)]
    if "TASKMASTER_CA" not in os.environ:
        return rpc.TaskMasterStub(grpc.insecure_channel(SERVER, options))
    with open(os.environ["TASKMASTER_CA"], "rb") as ca:
        credentials = grpc.ssl_channel_credentials(ca.read())
    if "TASKMASTER_TOKEN_FILE" in os.environ:
        with open(os.environ["TASKMASTER_TOKEN_FILE"], encoding="ascii") as token:
            call_credentials = grpc.access_token_call_credentials(token.read().strip())
        credentials = grpc.composite_channel_credentials(credentials, call_credentials)
    return rpc.TaskMasterStub(grpc.secure_channel(SERVER, credentials, options))


def repeat(method, request):
    """Sends a request until there is a reply. Only for requests that are safe to repeat."""
    delay = 0.1
    while True:
        try:
            return method(request, timeout=40)  # more than the wait of a lease
        except grpc.RpcError as error:
            if error.code().name not in REPEATED:
                raise
        time.sleep(delay * random.uniform(0.5, 1.5))
        delay = min(2 * delay, 5)
