package io.taskmaster.client;

import io.grpc.ManagedChannel;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The state that all calls of a client share: the channel, the clock, the retry rule and budget, and the calls that
 * wait for a retry. Thread-safe.
 */
final class Connection implements AutoCloseable {

    /**
     * The minimum interval between reconnects that failed calls cause, in nanoseconds. By itself the channel backs off
     * for minutes.
     */
    private static final long MIN_RECONNECT_NANOS = Duration.ofMillis(100).toNanos();

    private final ManagedChannel channel;
    private final Timer timer;
    private final RetryRule retryRule;
    private final RetryBudget retryBudget;
    private final Duration drain;
    private final Set<Call<?, ?, ?>> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicLong reconnectNanos;
    private volatile boolean closed;

    /**
     * Creates the connection of a client.
     *
     * @param drain the time that {@link #close} waits for calls in flight
     */
    Connection(ManagedChannel channel, Timer timer, RetryRule retryRule, RetryBudget retryBudget, Duration drain) {
        this.channel = channel;
        this.timer = timer;
        this.retryRule = retryRule;
        this.retryBudget = retryBudget;
        this.drain = drain;
        this.reconnectNanos = new AtomicLong(timer.nanoTime());
    }

    ManagedChannel channel() {
        return channel;
    }

    Timer timer() {
        return timer;
    }

    RetryRule retryRule() {
        return retryRule;
    }

    RetryBudget retryBudget() {
        return retryBudget;
    }

    boolean isClosed() {
        return closed;
    }

    /** Schedules another attempt of a call. If the client is closed meanwhile, it is made at once, and fails. */
    void retry(Call<?, ?, ?> call, long delayNanos) {
        waiting.add(call);
        timer.schedule(() -> resume(call), delayNanos);
        // close() may have emptied the set before this call was in it.
        if (closed) {
            resume(call);
        }
    }

    private void resume(Call<?, ?, ?> call) {
        if (waiting.remove(call)) {
            call.attempt();
        }
    }

    /** Ends the channel's own back-off before it connects again. */
    void reconnect() {
        long now = timer.nanoTime();
        long last = reconnectNanos.get();
        if (now - last >= MIN_RECONNECT_NANOS && reconnectNanos.compareAndSet(last, now)) {
            channel.resetConnectBackoff();
        }
    }

    /** Accepts no more calls, waits for those in flight, and cancels those that take too long. Idempotent. Blocks. */
    @Override
    public void close() {
        closed = true;
        channel.shutdown();
        // Calls that wait for a retry fail now instead of after their delay.
        waiting.forEach(this::resume);
        try {
            if (!channel.awaitTermination(Deadlines.nanos(drain), TimeUnit.NANOSECONDS)) {
                channel.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            channel.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
