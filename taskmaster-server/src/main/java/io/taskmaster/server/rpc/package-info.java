/**
 * The gRPC endpoint of a node: checks requests, maps the contract to the engine and back, and refuses calls over a
 * limit.
 */
@NullMarked
package io.taskmaster.server.rpc;

import org.jspecify.annotations.NullMarked;
