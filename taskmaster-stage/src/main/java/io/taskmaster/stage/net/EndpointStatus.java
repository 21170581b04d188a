package io.taskmaster.stage.net;

import java.util.Map;

/**
 * The status of an endpoint at one moment, and its counts since it was made. Immutable.
 *
 * @param connections the connections that are open
 * @param paused the connections that are not read, because of the sink, the messages in flight, the peer, or the memory
 * @param waitingForMemory of these, the ones whose peers have sent more than there is memory for
 * @param inHand the messages in flight: taken by the sink, and neither answered nor done
 * @param inputBytes the bytes that were read and not taken by the sink
 * @param waitingBytes the bytes that wait for peers to read them
 * @param maxMemoryBytes the limit of both together
 * @param opened the connections so far
 * @param refused the connections that were not made, since there were {@code maxConnections}
 * @param acceptStops the number of times that accepting stopped, since there were {@code maxConnections}
 * @param acceptFailures the number of times that accepting failed, for want of a file descriptor for example
 * @param pauses the number of times that a connection was paused
 * @param messagesIn the messages that the sink took
 * @param dropped of these, the messages that a stage dropped
 * @param ended the connections that ended, by cause; every cause has a count
 */
public record EndpointStatus(
        String endpoint,
        int connections,
        int paused,
        int waitingForMemory,
        long inHand,
        long inputBytes,
        long waitingBytes,
        long maxMemoryBytes,
        long opened,
        long refused,
        long acceptStops,
        long acceptFailures,
        long pauses,
        long messagesIn,
        long messagesOut,
        long bytesIn,
        long bytesOut,
        long dropped,
        Map<CloseReason.Cause, Long> ended) {

    public EndpointStatus {
        ended = Map.copyOf(ended);
    }

    /** The bytes of the memory budget that are in use. */
    public long memoryBytes() {
        return inputBytes + waitingBytes;
    }

    /** The number of connections that ended for this cause. */
    public long ended(CloseReason.Cause cause) {
        return ended.getOrDefault(cause, 0L);
    }
}
