package io.taskmaster.stage.net;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long a peer may leave bytes unread: too many of them, or the last ones of a connection that is to be closed. Whoever owns it looks whenever something may
 * have changed. Single-threaded: owned by the thread of the connection.
 */
final class Patience {

    /** The last words are waited for so long at least, whatever clogged connections are. */
    private static final Duration LEAST_FOR_LAST_WORDS = Duration.ofSeconds(1);

    private final EndpointSettings settings;
    private final Outgoing outgoing;
    private final EventLoop loop;
    private final Runnable over;
    private @Nullable ScheduledFuture<?> clogged;
    private @Nullable ScheduledFuture<?> lastWords;
    private long lastBytes;

    /** @param over called when it is at its end */
    Patience(EndpointSettings settings, Outgoing outgoing, EventLoop loop, Runnable over) {
        this.settings = settings;
        this.outgoing = outgoing;
        this.loop = loop;
        this.over = over;
    }

    /** Whether nothing is to be read from the peer until it has read. */
    boolean isTried() {
        return clogged != null || isMuchWaiting();
    }

    /** Whether too many bytes wait, or did and half of that are still there: then whoever sends some has to look. */
    boolean isClogged() {
        return clogged != null;
    }

    private boolean isMuchWaiting() {
        return outgoing.waitingBytes() > settings.cloggedBytes();
    }

    /** What waits may have become more, or less. */
    void look() {
        if (clogged == null && isMuchWaiting()) {
            clogged = begin(settings.cloggedAfter());
        } else if (clogged != null && outgoing.waitingBytes() <= settings.cloggedBytes() / 2) {
            cancel(clogged);
            clogged = null;
        }
    }

    /**
     * As long as the peer reads some of them, it may take any time.
     *
     * @param isAnswered whether what waits is the last that there is
     */
    void lookAtLastWords(boolean isAnswered) {
        long bytes = isAnswered ? outgoing.waitingBytes() : 0;
        if (lastWords != null && bytes < lastBytes) {
            cancel(lastWords);
            lastWords = null;
        }
        if (lastWords == null && bytes > 0) {
            Duration after = settings.cloggedAfter();
            lastWords = begin(after.compareTo(LEAST_FOR_LAST_WORDS) > 0 ? after : LEAST_FOR_LAST_WORDS);
            lastBytes = bytes;
        }
    }

    /** Nobody waits any more. */
    void end() {
        cancel(clogged);
        cancel(lastWords);
    }

    private ScheduledFuture<?> begin(Duration after) {
        return loop.schedule(over, after.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static void cancel(@Nullable ScheduledFuture<?> timer) {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
