package io.taskmaster.stage.net;

import java.util.Map;

/**
 * What an endpoint is doing, at one moment, and has done since it was made. Immutable.
 *
 * @param connections that are open
 * @param paused connections that are not read, since the sink, or what is in hand, or the peer leaves no room
 * @param inHand messages that were taken by the sink and are not answered, nor done
 * @param waitingBytes what waits for peers to read it
 * @param opened connections so far
 * @param refused connections that were one too many
 * @param pauses how often connections were paused
 * @param messagesIn messages that the sink took
 * @param dropped of these, messages that a stage dropped
 * @param ended connections by why they ended; every cause is there
 */
public record EndpointStatus(
        String endpoint,
        int connections,
        int paused,
        long inHand,
        long waitingBytes,
        long opened,
        long refused,
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

    /** How many connections have ended for this reason. */
    public long ended(Ending.Cause cause) {
        return ended.getOrDefault(cause, 0L);
    }
}
