package io.taskmaster.stage.net;

import java.time.Duration;
import java.util.Optional;

/**
 * The settings of an endpoint. Immutable: a method that sets something returns a changed copy.
 *
 * @param reads how messages that arrive are framed
 * @param writes how those that are sent are framed; the default is the same
 * @param maxConnections how many there may be; who comes then is refused: closed at once, and counted
 * @param maxInHand messages of one connection that may be in hand; with 1, they are answered in their order. Beyond, it is not read
 * @param maxWaitingBytes what may wait for one peer, first answers to messages left out; beyond, it is refused
 * @param cloggedBytes when more waits for a peer, it is not read, until half of that is sent
 * @param cloggedAfter when it takes longer, the connection ends as clogged; with 0, at once. So does one that is to be closed and whose peer reads
 *     nothing of its last bytes for so long, or for a second if that is longer
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

    public EndpointSettings {
        within("maxConnections", maxConnections, MAX_CONNECTIONS);
        within("maxInHand", maxInHand, Integer.MAX_VALUE);
        within("maxWaitingBytes", maxWaitingBytes, Long.MAX_VALUE);
        within("cloggedBytes", cloggedBytes, maxWaitingBytes);
        within("cloggedAfter", cloggedAfter, Duration.ZERO);
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
                Optional.empty(),
                ConnectionWatcher.NONE);
    }

    /** What is sent is framed differently from what is read. */
    public EndpointSettings writes(Framing framing) {
        return new EndpointSettings(
                reads, framing, maxConnections, maxInHand, maxWaitingBytes, cloggedBytes, cloggedAfter, idle, watcher);
    }

    public EndpointSettings maxConnections(int connections) {
        return new EndpointSettings(
                reads, writes, connections, maxInHand, maxWaitingBytes, cloggedBytes, cloggedAfter, idle, watcher);
    }

    public EndpointSettings maxInHand(int messages) {
        return new EndpointSettings(
                reads, writes, maxConnections, messages, maxWaitingBytes, cloggedBytes, cloggedAfter, idle, watcher);
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
                idle,
                watcher);
    }

    public EndpointSettings clogged(long bytes, Duration after) {
        return new EndpointSettings(
                reads, writes, maxConnections, maxInHand, maxWaitingBytes, bytes, after, idle, watcher);
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
                Optional.of(after),
                watcher);
    }

    public EndpointSettings watcher(ConnectionWatcher hears) {
        return new EndpointSettings(
                reads, writes, maxConnections, maxInHand, maxWaitingBytes, cloggedBytes, cloggedAfter, idle, hears);
    }

    private static void within(String name, long value, long most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException("%s: %d (expected: 1 to %d)".formatted(name, value, most));
        }
    }

    private static void within(String name, Duration value, Duration least) {
        if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("%s: %s (expected: %s to %s)".formatted(name, value, least, LONGEST));
        }
    }
}
