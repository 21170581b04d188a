package io.taskmaster.stage.net;

import java.time.Duration;
import java.util.Optional;

/**
 * The settings of an endpoint. Immutable: a method that sets something returns a changed copy.
 *
 * @param reads how messages that arrive are framed
 * @param writes how those that are sent are framed; the default is the same
 * @param maxConnections how many there may be. Then no more are accepted until one ends: who comes waits in the backlog of the operating system. Where an endpoint listens, one
 *     place is kept for the next that comes, so {@link Endpoint#connect} is refused one sooner
 * @param maxInHand messages of one connection that may be in hand; with 1, they are answered in their order. Beyond, it is not read
 * @param maxWaitingBytes what may wait for one peer, first answers to messages left out; beyond, it is refused
 * @param cloggedBytes when more waits for a peer, it is not read, until half of that is sent
 * @param cloggedAfter when it takes longer, the connection ends as clogged; with 0, at once. So does one that is to be closed and whose peer reads
 *     nothing of its last bytes for so long, or for a second if that is longer
 * @param maxMemoryBytes bytes that were read and that the sink has not taken, and bytes that wait for peers, over all connections. A part of it belongs to each connection alone; when the
 *     rest is used up, no more is read than that, {@link Connection#send} is refused, and, if others wait, connections end whose peers take longer than
 *     {@code cloggedAfter}, and a second at least, for the rest of a message or to read what waits for them. First answers to messages, and one message at a time, may go beyond it
 * @param idle after so long without a byte in either direction, and with nothing in hand, it ends; absent: never. While something waits for the
 *     peer, it is not idle; if the peer reads nothing of that, it ends as clogged, as one that is to be closed
 */
public record EndpointSettings(
        Framing reads,
        Framing writes,
        int maxConnections,
        int maxInHand,
        long maxWaitingBytes,
        long cloggedBytes,
        Duration cloggedAfter,
        long maxMemoryBytes,
        Optional<Duration> idle,
        ConnectionWatcher watcher) {

    /** The longest time that may be set. */
    public static final Duration LONGEST = Duration.ofDays(1);

    /** The most connections that may be allowed. */
    public static final int MAX_CONNECTIONS = 1_000_000;

    private static final int CONNECTIONS = 10_000;
    private static final int IN_HAND = 64;
    private static final long WAITING_BYTES = 4 << 20;
    private static final long CLOGGED_BYTES = 256 << 10;
    private static final Duration CLOGGED_AFTER = Duration.ofSeconds(30);
    private static final long MEMORY_BYTES = 128 << 20;

    /** Of the memory, for each of {@link #maxConnections}, at least. */
    private static final int LEAST_MEMORY_OF_ONE = 64;

    public EndpointSettings {
        within("maxConnections", maxConnections, MAX_CONNECTIONS);
        within("maxInHand", maxInHand, Integer.MAX_VALUE);
        within("maxWaitingBytes", maxWaitingBytes, Long.MAX_VALUE);
        within("cloggedBytes", cloggedBytes, maxWaitingBytes);
        within("cloggedAfter", cloggedAfter, Duration.ZERO);
        within("maxMemoryBytes", maxMemoryBytes, (long) LEAST_MEMORY_OF_ONE * maxConnections, Long.MAX_VALUE);
        idle.ifPresent(after -> within("idle", after, Duration.ofMillis(1)));
    }

    static EndpointSettings of(Framing framing) {
        return new EndpointSettings(
                framing,
                framing,
                CONNECTIONS,
                IN_HAND,
                WAITING_BYTES,
                CLOGGED_BYTES,
                CLOGGED_AFTER,
                MEMORY_BYTES,
                Optional.empty(),
                ConnectionWatcher.NONE);
    }

    /** What is sent is framed differently from what is read. */
    public EndpointSettings writes(Framing framing) {
        return new EndpointSettings(
                reads,
                framing,
                maxConnections,
                maxInHand,
                maxWaitingBytes,
                cloggedBytes,
                cloggedAfter,
                maxMemoryBytes,
                idle,
                watcher);
    }

    public EndpointSettings maxConnections(int connections) {
        return new EndpointSettings(
                reads,
                writes,
                connections,
                maxInHand,
                maxWaitingBytes,
                cloggedBytes,
                cloggedAfter,
                maxMemoryBytes,
                idle,
                watcher);
    }

    public EndpointSettings maxInHand(int messages) {
        return new EndpointSettings(
                reads,
                writes,
                maxConnections,
                messages,
                maxWaitingBytes,
                cloggedBytes,
                cloggedAfter,
                maxMemoryBytes,
                idle,
                watcher);
    }

    public EndpointSettings maxWaitingBytes(long bytes) {
        return new EndpointSettings(
                reads,
                writes,
                maxConnections,
                maxInHand,
                bytes,
                Math.min(cloggedBytes, bytes),
                cloggedAfter,
                maxMemoryBytes,
                idle,
                watcher);
    }

    public EndpointSettings clogged(long bytes, Duration after) {
        return new EndpointSettings(
                reads, writes, maxConnections, maxInHand, maxWaitingBytes, bytes, after, maxMemoryBytes, idle, watcher);
    }

    /** Each of {@link #maxConnections} needs 64 bytes of it at least, so if it is to be small, set those first. */
    public EndpointSettings maxMemoryBytes(long bytes) {
        return new EndpointSettings(
                reads,
                writes,
                maxConnections,
                maxInHand,
                maxWaitingBytes,
                cloggedBytes,
                cloggedAfter,
                bytes,
                idle,
                watcher);
    }

    public EndpointSettings idle(Duration after) {
        return new EndpointSettings(
                reads,
                writes,
                maxConnections,
                maxInHand,
                maxWaitingBytes,
                cloggedBytes,
                cloggedAfter,
                maxMemoryBytes,
                Optional.of(after),
                watcher);
    }

    public EndpointSettings watcher(ConnectionWatcher hears) {
        return new EndpointSettings(
                reads,
                writes,
                maxConnections,
                maxInHand,
                maxWaitingBytes,
                cloggedBytes,
                cloggedAfter,
                maxMemoryBytes,
                idle,
                hears);
    }

    private static void within(String name, long value, long most) {
        within(name, value, 1, most);
    }

    private static void within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException("%s: %d (expected: %d to %d)".formatted(name, value, least, most));
        }
    }

    private static void within(String name, Duration value, Duration least) {
        if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("%s: %s (expected: %s to %s)".formatted(name, value, least, LONGEST));
        }
    }
}
