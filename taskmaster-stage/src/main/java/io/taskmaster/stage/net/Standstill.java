package io.taskmaster.stage.net;

import io.netty.channel.Channel;
import java.time.Duration;
import java.util.Optional;

/**
 * The check whether the peer of one connection keeps memory occupied without progress: memory for the rest of a message
 * that it has begun, or for bytes that it does not read. Only memory beyond the connection's own part counts, and only
 * while memory is {@linkplain Shortage short}. The time for which the connection is not read, since it waits itself for
 * memory or for the sink, does not count. Single-threaded: owned by the thread of the connection.
 */
final class Standstill {

    private final Duration patience;
    private final Share share;
    private final Outgoing outgoing;
    private final Channel channel;

    /** True while it waits for the rest of a message. */
    private boolean awaitsRest;

    private long awaitsSinceNanos;

    /** The time that it has waited for the rest of this message before the present wait. */
    private long awaitedNanos;

    /**
     * A position in the output, counted in bytes from the first one: when it is sent, all that waited at
     * {@link #markedNanos} is.
     */
    private long mark;

    private long markedNanos;

    Standstill(EndpointSettings settings, Share share, Outgoing outgoing, Channel channel) {
        this.patience = Patience.ofPeers(settings);
        this.share = share;
        this.outgoing = outgoing;
        this.channel = channel;
    }

    /** Notes that a read was requested, so the peer may send more. */
    void asks(boolean inMessage) {
        awaitsRest = inMessage;
        if (inMessage) {
            awaitsSinceNanos = now();
        }
    }

    /** Notes that the peer has sent some bytes. */
    void reads() {
        if (awaitsRest) {
            awaitsRest = false;
            awaitedNanos += now() - awaitsSinceNanos;
        }
    }

    /** Notes that a message is complete. */
    void completes() {
        awaitedNanos = 0;
    }

    /**
     * Checks the connection.
     *
     * @return the ending of the connection if it has to end; empty otherwise
     */
    Optional<Ending> look(long shortSinceNanos) {
        boolean isUnread = isUnread();
        if (now() - shortSinceNanos < patience.toNanos()) {
            return Optional.empty();
        }
        if (share.isLarge() && awaitsRest && awaitedNanos + now() - awaitsSinceNanos >= patience.toNanos()) {
            return Optional.of(new Ending(
                    Ending.Cause.STALLED,
                    "%d bytes of a message wait for its rest for %s, while the memory of the endpoint is used up"
                            .formatted(share.inputBytes(), patience)));
        }
        if (isUnread) {
            return Optional.of(new Ending(
                    Ending.Cause.CLOGGED,
                    "%d bytes wait for the peer, some for %s, while the memory of the endpoint is used up"
                            .formatted(outgoing.waitingBytes(), patience)));
        }
        return Optional.empty();
    }

    /** Returns whether bytes have waited for the peer for too long. Moves the mark if the bytes before it are sent. */
    private boolean isUnread() {
        long now = now();
        if (outgoing.sentBytes(channel) >= mark) {
            mark = outgoing.goalBytes();
            markedNanos = now;
        }
        return share.isLarge(outgoing.waitingBytes()) && now - markedNanos >= patience.toNanos();
    }

    private long now() {
        return channel.eventLoop().ticker().nanoTime();
    }
}
