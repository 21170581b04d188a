/** The gRPC face: maps the contract to the engine and back, and refuses what is not served. */
@NullMarked
package io.taskmaster.server.rpc;

import org.jspecify.annotations.NullMarked;
