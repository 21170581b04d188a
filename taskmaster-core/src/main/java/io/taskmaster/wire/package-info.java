/** The mapping of errors and times to protobuf and gRPC, and back; shared by client and server. */
@NullMarked
package io.taskmaster.wire;

import org.jspecify.annotations.NullMarked;
