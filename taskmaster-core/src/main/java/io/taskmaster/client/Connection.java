package io.taskmaster.client;

import io.grpc.ManagedChannel;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What all calls of a client share: the channel, the clock, the retry rule and budget, and the calls that wait for a retry.
 * Thread-safe.
 */
final class Connection implements AutoCloseable {

    /** How often failed calls may make the channel try to connect at once; it backs off for minutes by itself. */
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
     * @param drain how long closing waits for calls in flight
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

    /** Runs a call again after a delay, or at once, to fail, when the client is closed meanwhile. */
    void retry(Call<?, ?, ?> call, long delayNanos) {
        waiting.add(call);
        timer.schedule(() -> resume(call), delayNanos);
        if (closed) {
            resume(call);
        }
    }

    private void resume(Call<?, ?, ?> call) {
        if (waiting.remove(call)) {
            call.attempt();
        }
    }

    /** Ends the channel's own pause between attempts to connect. */
    void reconnect() {
        long now = timer.nanoTime();
        long last = reconnectNanos.get();
        if (now - last >= MIN_RECONNECT_NANOS && reconnectNanos.compareAndSet(last, now)) {
            channel.resetConnectBackoff();
        }
    }

    /** Takes no more calls, lets those in flight end, and cuts off those that take too long. Idempotent; blocks. */
    @Override
    public void close() {
        closed = true;
        channel.shutdown();
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
