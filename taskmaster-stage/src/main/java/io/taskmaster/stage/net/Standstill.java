package io.taskmaster.stage.net;

import io.netty.channel.Channel;
import java.time.Duration;
import java.util.Optional;

/**
 * How long the peer of one connection lets memory be held that others wait for: for the rest of a message that it has begun, or for what it does not read. Memory is what others wait for only as
 * long as it is {@linkplain Shortage short}, and beyond what belongs to the connection alone. The time for which a connection is not read, since it waits itself for memory or for the sink, does not count.
 * Single-threaded: owned by the thread of the connection.
 */
final class Standstill {

    private final Duration patience;
    private final Share share;
    private final Outgoing outgoing;
    private final Channel channel;

    /** Whether it waits for the rest of a message. */
    private boolean awaitsRest;

    private long awaitsSinceNanos;

    /** How long it has waited for the rest of this message, before it waits now. */
    private long awaitedNanos;

    /** So many bytes are to be sent, counted from the first one, until what waited at {@link #markedNanos} is sent. */
    private long mark;

    private long markedNanos;

    Standstill(EndpointSettings settings, Share share, Outgoing outgoing, Channel channel) {
        this.patience = Patience.ofPeers(settings);
        this.share = share;
        this.outgoing = outgoing;
        this.channel = channel;
    }

    /** The peer may send more. */
    void asks(boolean inMessage) {
        awaitsRest = inMessage;
        if (inMessage) {
            awaitsSinceNanos = now();
        }
    }

    /** The peer has sent some. */
    void reads() {
        if (awaitsRest) {
            awaitsRest = false;
            awaitedNanos += now() - awaitsSinceNanos;
        }
    }

    /** A message is whole. */
    void completes() {
        awaitedNanos = 0;
    }

    /** @return why the connection is to be ended, if it is */
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

    /** Whether something waits for the peer for too long; looks from which byte on that may be. */
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
