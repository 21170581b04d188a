package io.taskmaster.stage.local;

import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Sink;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A stage in memory, in this process. Thread-safe. */
public sealed interface LocalStage<E> extends Sink<E> permits FusedStage, BoundedStage {

    /** The most workers that a stage may have. */
    int MAX_CONCURRENCY = 10_000;

    String name();

    /**
     * Offers an event. A stage without a boundary handles it before this method returns. A stage with one takes the
     * event or refuses it with a cause, and blocks only if its overflow does ({@link Overflow#block}).
     */
    @Override
    Admission offer(E event);

    /**
     * Puts an event in line before all others but earlier control events. It takes none of the credits of the capacity
     * and is never refused or shed. If {@value AdmissionGate#MAX_CONTROLS} are waiting, this method blocks. A stage
     * that is {@linkplain #pause paused} does not handle it either; it is the first event after the pause. In a stage
     * without a boundary it is a call like any other.
     *
     * @return false if the stage is closed
     * @throws IllegalStateException if it has waited for 30 s
     */
    boolean control(E event) throws InterruptedException;

    /**
     * Sets the number of workers from now on, 1 to {@link #MAX_CONCURRENCY}; in a paused stage, as soon as it is
     * resumed.
     *
     * @throws IllegalStateException if the stage has no boundary and so no workers, or if a controller sets the number
     */
    void concurrency(int workers);

    /**
     * Pauses the stage: its workers take no events until it is resumed. Handlers that are running go on, and a worker
     * that is about to take an event may still do so.
     *
     * <p>New events wait in line, control events included, until the credits are used up; then they go the way of the
     * {@link Overflow}. Producers that wait for credits have as long as ever, and do none of the stage's work
     * meanwhile; a producer that is a worker of another stage keeps its thread from other stages. Controllers see a
     * stage without waiting events; an admission rule sees one that answers nothing. A stage that is being drained is
     * not paused. Idempotent.
     *
     * @throws IllegalStateException if the stage has no boundary
     */
    void pause();

    /** Resumes a paused stage. Does nothing if it is not paused. */
    void resume();

    /** Returns the current status. */
    LocalStatus status();

    /**
     * Closes the stage to new events, and handles those that it has; a paused one is resumed. The future completes when
     * that is done, or at the deadline: then events in line are dropped, and handlers that are running go on. Calls in
     * flight in a stage without a boundary are waited for, too. Events at the other handler of a
     * {@linkplain Overflow#degrade degraded} stage are not.
     *
     * @param deadline the time that it may take, at most one day
     */
    CompletableFuture<Void> drain(Duration deadline);
}
