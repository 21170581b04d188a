"""The contract as Python sees it: modules generated from the repository's taskmaster.proto, afresh in every run."""

import atexit
import importlib
import pathlib
import shutil
import sys
import tempfile

import grpc_tools
from grpc_tools import protoc

REPOSITORY = pathlib.Path(__file__).resolve().parents[4]
PROTO = REPOSITORY / "taskmaster-core/src/main/proto/taskmaster.proto"


def _generate():
    folder = tempfile.mkdtemp(prefix="taskmaster-stubs-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    well_known_types = pathlib.Path(grpc_tools.__file__).parent / "_proto"
    status = protoc.main(
        [
            "protoc",
            f"--proto_path={PROTO.parent}",
            f"--proto_path={well_known_types}",
            f"--python_out={folder}",
            f"--grpc_python_out={folder}",
            PROTO.name,
        ]
    )
    if status != 0:
        raise RuntimeError(f"protoc refused {PROTO}: status {status}")
    sys.path.insert(0, folder)
    return importlib.import_module("taskmaster_pb2"), importlib.import_module("taskmaster_pb2_grpc")


pb, rpc = _generate()
