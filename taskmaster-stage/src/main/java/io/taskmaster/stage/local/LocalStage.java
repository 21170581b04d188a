package io.taskmaster.stage.local;

import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Sink;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A stage in this process. Thread-safe. */
public sealed interface LocalStage<E> extends Sink<E> permits FusedStage, BoundedStage {

    /** The most workers that a stage may have. */
    int MAX_CONCURRENCY = 10_000;

    String name();

    /**
     * Offers an event. A stage without a boundary handles it before this returns; one with a boundary takes it or says why not, and blocks only
     * if it is to ({@link Overflow#block}).
     */
    @Override
    Admission offer(E event);

    /**
     * Puts an event before all others. It costs nothing and is never refused or shed; if {@value Gate#MAX_CONTROLS} wait already, the caller waits.
     * A stage that is {@linkplain #pause paused} does not handle it either; it is the first when that is over.
     *
     * @return false if the stage is gone
     * @throws IllegalStateException if it has waited for 30 s
     */
    boolean control(E event) throws InterruptedException;

    /**
     * How many workers handle events from now on, 1 to {@link #MAX_CONCURRENCY}; while it is paused, as soon as it is resumed.
     *
     * @throws IllegalStateException if its producers handle them, since it has no boundary, or if a controller decides
     */
    void concurrency(int workers);

    /**
     * Its workers take no events until it is resumed; what handlers have goes on, and a worker that is about to take one may still do so. What comes
     * waits in line, control events included, until there is no room; then happens what always does ({@link Overflow}). Whoever waits for room has as long
     * as ever, and does none of the work meanwhile: if that is a worker of another stage, others do without its thread. To its controllers it is a stage that
     * nobody waits for; to its admission rule, one that answers nothing. Nothing happens if it is being drained. Idempotent.
     *
     * @throws IllegalStateException if its producers handle its events, since it has no boundary
     */
    void pause();

    /** Its workers take events again. Nothing happens if it is not paused. */
    void resume();

    /** What it is doing. */
    LocalStatus status();

    /**
     * Takes no events any more, and handles those that it has: one that is paused is resumed. Completes when that is done, or when the deadline is
     * over: then those that still wait are dropped, and what handlers have is theirs. Calls of a stage without a boundary are waited for, too; events that
     * the other handler of a {@linkplain Overflow#degrade degraded} one has are not.
     */
    CompletableFuture<Void> drain(Duration deadline);
}
