/** Tests of the gRPC port of a whole node. */
@NullMarked
package io.taskmaster.proxy.rpc;

import org.jspecify.annotations.NullMarked;
