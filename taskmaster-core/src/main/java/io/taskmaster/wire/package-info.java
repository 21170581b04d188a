/** The contract on the wire and our types: errors and times to protobuf and gRPC, and back. For the client and the server. */
@NullMarked
package io.taskmaster.wire;

import org.jspecify.annotations.NullMarked;
