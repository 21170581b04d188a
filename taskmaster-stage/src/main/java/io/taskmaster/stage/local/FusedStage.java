package io.taskmaster.stage.local;

import static java.util.Objects.requireNonNull;

import io.taskmaster.client.Timer;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.local.credit.RundownGuard;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A stage without a boundary: its events are handled on the threads of their producers. Thread-safe if its handler is.
 */
final class FusedStage<E> implements LocalStage<E> {

    private static final Refused CLOSED = new Refused(Cause.CLOSED, Duration.ofMillis(100));

    private static final Duration MAX_DRAIN = Duration.ofDays(1);

    private final String name;
    private final SingleHandling<E> handling;
    private final StageCounters<E> stageCounters;
    private final Timer timer;
    private final RundownGuard rundownGuard = new RundownGuard();

    FusedStage(String name, SingleHandling<E> handling, StageCounters<E> stageCounters, Timer timer) {
        this.name = name;
        this.handling = handling;
        this.stageCounters = stageCounters;
        this.timer = timer;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Admission offer(E event) {
        if (!rundownGuard.enter()) {
            stageCounters.refused(Cause.CLOSED);
            return CLOSED;
        }
        handleAndRelease(event);
        return Taken.ACCEPTED;
    }

    private void handleAndRelease(E event) {
        try {
            handle(event);
        } finally {
            rundownGuard.exit();
        }
    }

    private void handle(E event) {
        if (stageCounters.dropsCancelled(event)) {
            return;
        }
        if (stageCounters.needsTimes()) {
            long startNanos = timer.nanoTime();
            handling.handle(event);
            stageCounters.took(0, timer.nanoTime() - startNanos);
        } else {
            handling.handle(event);
        }
    }

    /**
     * Reserves a call, for an event of a {@link Reservation}. There are no credits; only a closed stage refuses.
     *
     * @return the cause of a refusal; null if the call is reserved
     */
    @Nullable
    Cause reserve(E event, Collection<Reservation.Claim> claims) {
        requireNonNull(event, "event");
        if (!rundownGuard.enter()) {
            return Cause.CLOSED;
        }
        claims.add(new Reservation.Claim(() -> handleAndRelease(event), rundownGuard::exit));
        return null;
    }

    @Override
    public boolean control(E event) {
        return offer(event).isTaken();
    }

    @Override
    public void concurrency(int workers) {
        throw new IllegalStateException(
                "stage %s: no boundary (expected: a boundary, which has workers)".formatted(name));
    }

    @Override
    public void pause() {
        throw new IllegalStateException(
                "stage %s: no boundary (expected: a boundary, where events wait)".formatted(name));
    }

    @Override
    public void resume() {
        // A stage without a boundary is never paused.
    }

    @Override
    public LocalStatus status() {
        return stageCounters.status(false, 0, 0, 0, 0, 1, Map.of());
    }

    /**
     * {@inheritDoc}
     *
     * <p>Completes when all calls in flight have ended, or at the deadline. Calls that are in flight then go on, since
     * their threads are the producers'.
     */
    @Override
    public CompletableFuture<Void> drain(Duration deadline) {
        CompletableFuture<Void> idle = rundownGuard.close();
        if (!idle.isDone()) {
            Duration bounded = deadline.compareTo(MAX_DRAIN) > 0 ? MAX_DRAIN : deadline;
            // The guard has returned a copy, so the deadline completes this future alone.
            timer.schedule(() -> idle.complete(null), Math.max(0, Deadlines.nanos(bounded)));
        }
        return idle;
    }
}
