package io.taskmaster.stage.net;

import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The timeouts of a peer that leaves bytes unread: too many of them, or the last ones of a connection that is to be
 * closed. Its owner calls it whenever either may have changed. Single-threaded: owned by the thread of the connection.
 *
 * <pre>{@code
 * state   | event                                      | next state | effect
 * QUIET   | more than cloggedBytes wait                | CLOGGED    | timer; the peer is not read
 * CLOGGED | no more than half of that waits            | QUIET      | the timer is cancelled
 * CLOGGED | timer                                      | over       | the connection ends
 * }</pre>
 *
 * The last bytes have a timer of their own:
 *
 * <pre>{@code
 * state   | event                                      | next state | effect
 * NONE    | all is answered, and bytes wait            | LAST       | timer
 * LAST    | some bytes were sent, others wait          | LAST       | the timer starts again
 * LAST    | nothing waits, or there is more to answer  | NONE       | the timer is cancelled
 * LAST    | timer, and no byte was sent                | over       | the connection ends
 * }</pre>
 */
final class SlowPeerGuard {

    /** The least time that peers have, except for a connection that is clogged by the bytes that wait for it alone. */
    private static final Duration MIN_TIMEOUT = Duration.ofSeconds(1);

    private final EndpointSettings settings;
    private final OutboundBuffer outboundBuffer;
    private final Channel channel;
    private final Runnable onClogged;
    private @Nullable ScheduledFuture<?> clogged;
    private @Nullable ScheduledFuture<?> finalWrites;

    /** The number of bytes that had been sent when the wait for the last bytes began. */
    private long sentBefore;

    /** @param onClogged called when the time of the peer is over */
    SlowPeerGuard(EndpointSettings settings, OutboundBuffer outboundBuffer, Channel channel, Runnable onClogged) {
        this.settings = settings;
        this.outboundBuffer = outboundBuffer;
        this.channel = channel;
        this.onClogged = onClogged;
    }

    /** The time that peers have to read the last bytes of a connection, and to make progress while memory is short. */
    static Duration timeout(EndpointSettings settings) {
        Duration after = settings.cloggedAfter();
        return after.compareTo(MIN_TIMEOUT) > 0 ? after : MIN_TIMEOUT;
    }

    /** Returns whether the peer must not be read until it has read itself. */
    boolean isSlow() {
        return clogged != null || isOverThreshold();
    }

    /** Returns whether a timer is running; then every write that has completed has to be followed by a check. */
    boolean isRunning() {
        return clogged != null || finalWrites != null;
    }

    private boolean isOverThreshold() {
        return outboundBuffer.waitingBytes() > settings.cloggedBytes();
    }

    /** Checks the bytes that wait, of which there may be more or fewer. */
    void checkClogged() {
        if (clogged == null && isOverThreshold()) {
            clogged = begin(settings.cloggedAfter(), onClogged);
            // The timer ends at half of the bound only, so a peer that reads a little now and then does not start it
            // anew.
        } else if (clogged != null && outboundBuffer.waitingBytes() <= settings.cloggedBytes() / 2) {
            cancel(clogged);
            clogged = null;
        }
    }

    /**
     * Checks the last bytes. As long as the peer reads some of them, it may take any time.
     *
     * @param isComplete whether the bytes that wait are the last ones, for the time being at least
     */
    void watchFinalWrites(boolean isComplete) {
        boolean isWaiting = isComplete && !outboundBuffer.isEmpty();
        if (!isWaiting || outboundBuffer.sentBytes(channel) > sentBefore) {
            cancel(finalWrites);
            finalWrites = null;
        }
        if (isWaiting && finalWrites == null) {
            sentBefore = outboundBuffer.sentBytes(channel);
            finalWrites = begin(timeout(settings), this::checkFinalWrites);
        }
    }

    /** A large buffer may be half sent, of which there is no notification. */
    private void checkFinalWrites() {
        if (outboundBuffer.sentBytes(channel) > sentBefore) {
            watchFinalWrites(true);
        } else {
            onClogged.run();
        }
    }

    /** Cancels the timers. */
    void end() {
        cancel(clogged);
        cancel(finalWrites);
    }

    private ScheduledFuture<?> begin(Duration after, Runnable action) {
        return channel.eventLoop().schedule(action, after.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static void cancel(@Nullable ScheduledFuture<?> timer) {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
