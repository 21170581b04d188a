package io.taskmaster.stage.net;

import static java.util.Objects.requireNonNull;

import io.taskmaster.stage.net.memory.Budget;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** The counters of an endpoint. Thread-safe. */
final class EndpointCounters {

    final LongAdder opened = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder acceptStops = new LongAdder();
    final LongAdder acceptFailures = new LongAdder();
    final LongAdder pauses = new LongAdder();
    final LongAdder messagesIn = new LongAdder();
    final LongAdder messagesOut = new LongAdder();
    final LongAdder bytesIn = new LongAdder();
    final LongAdder bytesOut = new LongAdder();
    final LongAdder dropped = new LongAdder();
    private final AtomicInteger paused = new AtomicInteger();
    private final Map<CloseReason.Cause, LongAdder> ended = new EnumMap<>(CloseReason.Cause.class);

    EndpointCounters() {
        for (CloseReason.Cause cause : CloseReason.Cause.values()) {
            ended.put(cause, new LongAdder());
        }
    }

    /** Counts a connection that stops to offer messages, or goes on. */
    void paused(boolean now) {
        if (now) {
            pauses.increment();
            paused.incrementAndGet();
        } else {
            paused.decrementAndGet();
        }
    }

    void ended(CloseReason closeReason) {
        requireNonNull(ended.get(closeReason.cause()), "of every cause").increment();
    }

    EndpointStatus status(
            String endpoint, int connections, long inFlight, long inputBytes, long waitingBytes, Budget budget) {
        Map<CloseReason.Cause, Long> ends = new EnumMap<>(CloseReason.Cause.class);
        ended.forEach((cause, count) -> ends.put(cause, count.sum()));
        return new EndpointStatus(
                endpoint,
                connections,
                paused.get(),
                budget.waiting(),
                inFlight,
                inputBytes,
                waitingBytes,
                budget.maxBytes(),
                opened.sum(),
                refused.sum(),
                acceptStops.sum(),
                acceptFailures.sum(),
                pauses.sum(),
                messagesIn.sum(),
                messagesOut.sum(),
                bytesIn.sum(),
                bytesOut.sum(),
                dropped.sum(),
                ends);
    }
}
