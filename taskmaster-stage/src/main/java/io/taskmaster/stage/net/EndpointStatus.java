package io.taskmaster.stage.net;

import java.util.Map;

/**
 * What an endpoint is doing, at one moment, and has done since it was made. Immutable.
 *
 * @param connections that are open
 * @param paused connections that are not read, since the sink, or what is in hand, or the peer, or the memory leaves no room
 * @param waitingForMemory of these, those that have sent more than there is memory for
 * @param inHand messages that were taken by the sink and are not answered, nor done
 * @param inputBytes what was read and was not taken by the sink
 * @param waitingBytes what waits for peers to read it
 * @param maxMemoryBytes what both may be
 * @param opened connections so far
 * @param refused connections that were not made, since there were as many as may be
 * @param acceptStops how often no more were accepted, since there were as many as may be
 * @param acceptFailures how often accepting failed, for want of a file descriptor for example
 * @param pauses how often connections were paused
 * @param messagesIn messages that the sink took
 * @param dropped of these, messages that a stage dropped
 * @param ended connections by why they ended; every cause is there
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
        Map<Ending.Cause, Long> ended) {

    public EndpointStatus {
        ended = Map.copyOf(ended);
    }

    /** What is used of the memory. */
    public long memoryBytes() {
        return inputBytes + waitingBytes;
    }

    /** How many connections have ended for this reason. */
    public long ended(Ending.Cause cause) {
        return ended.getOrDefault(cause, 0L);
    }
}
