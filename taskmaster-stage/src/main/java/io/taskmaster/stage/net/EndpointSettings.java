package io.taskmaster.stage.net;

import java.time.Duration;
import java.util.Optional;

/**
 * The settings of an endpoint. Immutable: a method that sets something returns a changed copy.
 *
 * @param reads the framing of messages that arrive
 * @param writes the framing of messages that are sent; the default is the same
 * @param maxConnections the most connections; 10,000 by default. At the limit no more are accepted until one ends, and
 *     new peers wait in the backlog of the operating system. An endpoint that listens keeps one place for the next
 *     connection that it accepts, so {@link Endpoint#connect} is refused one sooner
 * @param maxInHand the most messages in flight of one connection; 64 by default. With 1, they are answered in order. At
 *     the limit the connection is not read
 * @param maxWaitingBytes the most bytes that wait for one peer, without first answers to messages; 4 MiB by default.
 *     Beyond, messages are refused
 * @param cloggedBytes the number of waiting bytes above which a peer is not read, until no more than half as many wait;
 *     256 KiB by default
 * @param cloggedAfter the time after which such a connection ends as clogged; 30 s by default; with 0, at once. A
 *     connection that is to be closed also ends as clogged if its peer reads none of its last bytes for as long, or for
 *     a second if that is longer
 * @param maxMemoryBytes the bytes that were read and not taken by the sink, and the bytes that wait for peers, over all
 *     connections; 128 MiB by default. A part of it belongs to each connection alone. When the rest is used up, no
 *     connection reads beyond its own part, and {@link PeerConnection#send} is refused. If connections wait for memory,
 *     those end that hold more than their own part and whose peers take longer than {@code cloggedAfter}, and a second
 *     at least, for the rest of a message or to read what waits for them. First answers to messages, and one message at
 *     a time, may exceed it
 * @param idle the time after which a connection ends if no byte has passed in either direction and no message is in
 *     flight; absent: never. A connection is not idle while bytes wait for its peer; if the peer reads none of them, it
 *     ends as clogged, like one that is to be closed
 * @param watcher receives what happens to connections; none by default
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

    /** The longest time of any setting. */
    public static final Duration LONGEST = Duration.ofDays(1);

    /** The most connections that may be allowed. */
    public static final int MAX_CONNECTIONS = 1_000_000;

    private static final int CONNECTIONS = 10_000;
    private static final int DEFAULT_MAX_IN_HAND = 64;
    private static final long WAITING_BYTES = 4 << 20;
    private static final long CLOGGED_BYTES = 256 << 10;
    private static final Duration CLOGGED_AFTER = Duration.ofSeconds(30);
    private static final long MEMORY_BYTES = 128 << 20;

    /** The least memory for each of {@link #maxConnections}, in bytes. */
    private static final int MIN_CONNECTION_MEMORY = 64;

    public EndpointSettings {
        within("maxConnections", maxConnections, MAX_CONNECTIONS);
        within("maxInHand", maxInHand, Integer.MAX_VALUE);
        within("maxWaitingBytes", maxWaitingBytes, Long.MAX_VALUE);
        within("cloggedBytes", cloggedBytes, maxWaitingBytes);
        within("cloggedAfter", cloggedAfter, Duration.ZERO);
        within("maxMemoryBytes", maxMemoryBytes, (long) MIN_CONNECTION_MEMORY * maxConnections, Long.MAX_VALUE);
        idle.ifPresent(after -> within("idle", after, Duration.ofMillis(1)));
    }

    static EndpointSettings of(Framing framing) {
        return new EndpointSettings(
                framing,
                framing,
                CONNECTIONS,
                DEFAULT_MAX_IN_HAND,
                WAITING_BYTES,
                CLOGGED_BYTES,
                CLOGGED_AFTER,
                MEMORY_BYTES,
                Optional.empty(),
                ConnectionWatcher.NONE);
    }

    /** Sets a framing for messages that are sent which differs from that of messages that arrive. */
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

    /**
     * Sets the memory budget. It has to be 64 bytes for each of {@link #maxConnections} at least, so set those first if
     * it is small.
     */
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

    public EndpointSettings watcher(ConnectionWatcher listener) {
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
                listener);
    }

    private static void within(String name, long value, long max) {
        within(name, value, 1, max);
    }

    private static void within(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("%s: %d (expected: %d to %d)".formatted(name, value, min, max));
        }
    }

    private static void within(String name, Duration value, Duration min) {
        if (value.compareTo(min) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("%s: %s (expected: %s to %s)".formatted(name, value, min, LONGEST));
        }
    }
}
