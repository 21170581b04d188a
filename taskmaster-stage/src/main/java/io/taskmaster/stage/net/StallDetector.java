package io.taskmaster.stage.net;

import io.netty.channel.Channel;
import io.taskmaster.stage.net.memory.Share;
import java.time.Duration;
import java.util.Optional;

/**
 * The check whether the peer of one connection keeps memory occupied without progress: memory for the rest of a message
 * that it has begun, or for bytes that it does not read. Only memory beyond the connection's own part counts, and only
 * while memory is {@linkplain MemoryPressure short}. The time for which the connection is not read, since it waits
 * itself for memory or for the sink, does not count. Single-threaded: owned by the thread of the connection.
 */
final class StallDetector {

    private final Duration timeout;
    private final Share share;
    private final OutboundBuffer outboundBuffer;
    private final Channel channel;

    /** True while it waits for the rest of a message. */
    private boolean awaitsInput;

    private long awaitsSinceNanos;

    /** The time that it has waited for the rest of this message before the present wait. */
    private long awaitedNanos;

    /**
     * A position in the output, counted in bytes from the first one: when it is sent, all that waited at
     * {@link #markedNanos} is.
     */
    private long mark;

    private long markedNanos;

    StallDetector(EndpointSettings settings, Share share, OutboundBuffer outboundBuffer, Channel channel) {
        this.timeout = SlowPeerGuard.timeout(settings);
        this.share = share;
        this.outboundBuffer = outboundBuffer;
        this.channel = channel;
    }

    /** Notes that a read was requested, so the peer may send more. */
    void onReadRequested(boolean isPartial) {
        awaitsInput = isPartial;
        if (isPartial) {
            awaitsSinceNanos = now();
        }
    }

    /** Notes that the peer has sent some bytes. */
    void onRead() {
        if (awaitsInput) {
            awaitsInput = false;
            awaitedNanos += now() - awaitsSinceNanos;
        }
    }

    /** Notes that a message is complete. */
    void onMessage() {
        awaitedNanos = 0;
    }

    /**
     * Checks the connection.
     *
     * @return the ending of the connection if it has to end; empty otherwise
     */
    Optional<CloseReason> check(long shortSinceNanos) {
        // This runs at every check, since it moves the mark, even while the shortage is too recent to end a connection.
        boolean isUnread = isUnread();
        if (now() - shortSinceNanos < timeout.toNanos()) {
            return Optional.empty();
        }
        if (share.isLarge() && awaitsInput && awaitedNanos + now() - awaitsSinceNanos >= timeout.toNanos()) {
            return Optional.of(new CloseReason(
                    CloseReason.Cause.STALLED,
                    "incomplete message: its first %d bytes have been waiting for the rest for %s, while the memory of the endpoint is used up"
                            .formatted(share.inputBytes(), timeout)));
        }
        if (isUnread) {
            return Optional.of(new CloseReason(
                    CloseReason.Cause.CLOGGED,
                    "slow peer: %d bytes unread, some for %s, while the memory of the endpoint is used up"
                            .formatted(outboundBuffer.waitingBytes(), timeout)));
        }
        return Optional.empty();
    }

    /** Returns whether bytes have waited for the peer for too long. Moves the mark if the bytes before it are sent. */
    private boolean isUnread() {
        long now = now();
        if (outboundBuffer.sentBytes(channel) >= mark) {
            mark = outboundBuffer.acceptedBytes();
            markedNanos = now;
        }
        return share.isLarge(outboundBuffer.waitingBytes()) && now - markedNanos >= timeout.toNanos();
    }

    private long now() {
        return channel.eventLoop().ticker().nanoTime();
    }
}
