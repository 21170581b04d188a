package io.taskmaster.stage.net;

import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long a peer may leave bytes unread: too many of them, or the last ones of a connection that is to be closed. Whoever owns it looks whenever something may
 * have changed. Single-threaded: owned by the thread of the connection.
 */
final class Patience {

    /** Peers have so long at least, but for what makes a connection clogged by itself. */
    private static final Duration LEAST = Duration.ofSeconds(1);

    private final EndpointSettings settings;
    private final Outgoing outgoing;
    private final Channel channel;
    private final Runnable over;
    private @Nullable ScheduledFuture<?> clogged;
    private @Nullable ScheduledFuture<?> lastWords;

    /** What was sent when the wait for the last words began. */
    private long sentBefore;

    /** @param over called when it is at its end */
    Patience(EndpointSettings settings, Outgoing outgoing, Channel channel, Runnable over) {
        this.settings = settings;
        this.outgoing = outgoing;
        this.channel = channel;
        this.over = over;
    }

    /** How long peers have to read the last bytes of a connection, and to move while memory is short. */
    static Duration ofPeers(EndpointSettings settings) {
        Duration after = settings.cloggedAfter();
        return after.compareTo(LEAST) > 0 ? after : LEAST;
    }

    /** Whether nothing is to be read from the peer until it has read. */
    boolean isTried() {
        return clogged != null || isMuchWaiting();
    }

    /** Whether it runs out by itself, unless some are sent: then whoever sends some has to look. */
    boolean isRunning() {
        return clogged != null || lastWords != null;
    }

    private boolean isMuchWaiting() {
        return outgoing.waitingBytes() > settings.cloggedBytes();
    }

    /** What waits may have become more, or less. */
    void look() {
        if (clogged == null && isMuchWaiting()) {
            clogged = begin(settings.cloggedAfter(), over);
        } else if (clogged != null && outgoing.waitingBytes() <= settings.cloggedBytes() / 2) {
            cancel(clogged);
            clogged = null;
        }
    }

    /**
     * As long as the peer reads some of them, it may take any time.
     *
     * @param isAnswered whether what waits is the last that there is, for the time being at least
     */
    void lookAtLastWords(boolean isAnswered) {
        boolean isWaiting = isAnswered && !outgoing.isEmpty();
        if (!isWaiting || outgoing.sentBytes(channel) > sentBefore) {
            cancel(lastWords);
            lastWords = null;
        }
        if (isWaiting && lastWords == null) {
            sentBefore = outgoing.sentBytes(channel);
            lastWords = begin(ofPeers(settings), this::lookAgain);
        }
    }

    /** A large buffer may be half sent, of which nobody is told. */
    private void lookAgain() {
        if (outgoing.sentBytes(channel) > sentBefore) {
            lookAtLastWords(true);
        } else {
            over.run();
        }
    }

    /** Nobody waits any more. */
    void end() {
        cancel(clogged);
        cancel(lastWords);
    }

    private ScheduledFuture<?> begin(Duration after, Runnable then) {
        return channel.eventLoop().schedule(then, after.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static void cancel(@Nullable ScheduledFuture<?> timer) {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
