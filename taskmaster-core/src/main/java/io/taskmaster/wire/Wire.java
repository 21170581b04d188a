package io.taskmaster.wire;

import io.grpc.ManagedChannel;

/**
 * What the calls of a client go over, where a test has laid it itself. Thread-safe if its channel is.
 *
 * @param channel the client's from now on
 */
public record Wire(ManagedChannel channel) {}
