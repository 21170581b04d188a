package io.taskmaster.wire;

import io.grpc.ManagedChannel;

/**
 * The channel under a client, where a test supplies it. Thread-safe if its channel is.
 *
 * @param channel belongs to the client from then on
 */
public record Wire(ManagedChannel channel) {}
