package io.taskmaster.stage.local;

import static java.util.Objects.requireNonNull;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.local.credit.Credits;
import io.taskmaster.stage.local.pool.SharedExecutors;
import io.taskmaster.stage.local.pool.Threads;
import io.taskmaster.stage.local.pool.WorkerPool;
import io.taskmaster.stage.steering.Actuator;
import io.taskmaster.stage.steering.ControlLoop;
import io.taskmaster.stage.steering.StageMonitor;
import io.taskmaster.time.Deadlines;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A stage behind a {@link Boundary}: a finite queue between its producers and its workers. Thread-safe.
 *
 * <p>An event is admitted and gets its credits at the {@link AdmissionGate}, waits in {@link PriorityLanes}, and is
 * taken by a worker of the {@link WorkerPool} at the {@link EventConsumer}, where its credits are returned.
 * {@link Handling} calls the handler, and the {@link StageCounters} counts the result and notifies listeners. An event
 * that is not admitted goes the way of the {@link Overflow} of the boundary: it is refused, its producer waits, bulk
 * events are shed for it, another handler gets it, or it is spilled.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>An event that was taken is either waiting (it holds credits), at a worker (which holds a place of the crew), or
 *       being spilled (it holds a permit). It ends as done, dropped, degraded or spilled, exactly once.
 *   <li>The credits of waiting events never exceed the capacity. Control events have credits of their own.
 *   <li>No event is left in line without a worker: a producer calls a worker after the event is in line, and a worker
 *       checks the line after it has left its place.
 *   <li>Functions of the application (cost, service class) are called before credits are taken, so their exceptions
 *       lose none.
 * </ul>
 *
 * <p>Life cycle; a stage is over once its gate is closed and no credits, no places and no spills are taken:
 *
 * <pre>{@code
 * state     | event                         | next state | effect
 * OPEN      | offer, reserve, control       | OPEN       | admitted to the line, or overflow
 * OPEN      | pause                         | PAUSED     | workers leave after their turn; events wait in line
 * PAUSED    | resume                        | OPEN       | workers are called for the events in line
 * OPEN      | drain                         | DRAINING   | the gate closes; a timer is set for the deadline
 * PAUSED    | drain                         | DRAINING   | as above, and the crew is resumed
 * DRAINING  | pause                         | DRAINING   | undone at once
 * DRAINING  | the stage is over             | DRAINED    | the future of the drain completes
 * DRAINING  | deadline                      | ABANDONED  | events in line are dropped (CLOSED); the future completes
 * any       | the pool refuses a worker     | ABANDONED  | as above; handlers that run go on
 * ABANDONED | a claim is committed, or an   | ABANDONED  | the event is dropped (CLOSED)
 *           | offer is still admitted       |            |
 * }</pre>
 *
 * <p>ADR 18 (docs/adr/0018-fairness-within-a-worker.md) describes the share of threads.
 */
final class BoundedStage<E> implements LocalStage<E>, WorkerPool.Work {

    /**
     * The delay after which a refused producer may try again: a guess, since the stage cannot know when credits come
     * free.
     */
    private static final Duration RETRY_AFTER = Duration.ofMillis(100);

    private static final Duration MAX_DRAIN = Duration.ofDays(1);

    private final String name;
    private final Boundary<E> boundary;
    private final Handling<E> handling;
    private final StageCounters<E> stageCounters;
    private final Timer timer;
    private final AdmissionGate admissionGate;
    private final EventConsumer<E> eventConsumer;

    /** Measurements for controllers; null if the stage has no controller. */
    private final @Nullable StageMonitor stageMonitor;

    private final WorkerPool workerPool;
    private final Credits spillCredits;
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private final Executor blocking;
    private volatile boolean abandoned;

    BoundedStage(
            String name,
            Boundary<E> boundary,
            Handling<E> handling,
            StageCounters<E> stageCounters,
            SharedExecutors sharedExecutors) {
        this.name = name;
        this.boundary = boundary;
        this.handling = handling;
        this.stageCounters = stageCounters;
        this.timer = sharedExecutors.timer();
        this.blocking = sharedExecutors.blocking();
        PriorityLanes priorityLanes =
                new PriorityLanes(boundary.capacity(), boundary.serviceClass().isPresent());
        this.admissionGate = new AdmissionGate(boundary, priorityLanes, timer, stageCounters.guard());
        List<Actuator> actuators = Stream.concat(
                        boundary.controller().map(decides -> new Actuator(decides, this::workers)).stream(),
                        handling.batching().stream())
                .toList();
        this.stageMonitor = actuators.isEmpty() ? null : new StageMonitor(timer.nanoTime());
        this.eventConsumer = new EventConsumer<>(
                handling,
                priorityLanes,
                boundary.cost().isPresent(),
                admissionGate,
                stageCounters,
                timer,
                stageMonitor);
        this.workerPool = new WorkerPool(
                boundary.isBlocking() ? Threads.dedicated(blocking) : sharedExecutors.pool(),
                boundary.concurrency(),
                this);
        this.spillCredits =
                new Credits(boundary.overflow() instanceof Overflow.Spill<E> spill ? spill.maxUnderWay() : 0);
        if (stageMonitor != null) {
            new ControlLoop(
                            "local stage " + name,
                            timer,
                            actuators,
                            nowNanos -> stageMonitor.sample(
                                    nowNanos, workerPool.isPaused() ? 0 : eventConsumer.size(), workerPool.size()),
                            drained::isDone)
                    .begin();
        }
    }

    @Override
    public String name() {
        return name;
    }

    // Admission. Functions of the application are called before credits are taken, so an exception loses none.

    @Override
    public Admission offer(E event) {
        int cost = boundary.costOf(event);
        ServiceClass serviceClass = boundary.classOf(event);
        Cause cause = admissionGate.enter(cost, serviceClass);
        return cause == null ? accept(event, cost, serviceClass) : overflow(event, cost, serviceClass, cause);
    }

    private Admission accept(E event, int cost, ServiceClass serviceClass) {
        put(event, cost, serviceClass);
        return Taken.ACCEPTED;
    }

    private Admission overflow(E event, int cost, ServiceClass serviceClass, Cause cause) {
        if (cause == Cause.CLOSED) {
            return refuse(cause);
        }
        // The producers of a paused stage wait because of the pause. More workers would not help them.
        if (stageMonitor != null && !workerPool.isPaused()) {
            stageMonitor.turnedAway();
        }
        return switch (boundary.overflow()) {
            case Overflow.Reject<E>() -> refuse(cause);
            case Overflow.Block<E>(Duration max) -> {
                Cause later = cause == Cause.FULL ? admissionGate.enterWithin(cost, max, this::help) : cause;
                yield later == null ? accept(event, cost, serviceClass) : refuse(later);
            }
            case Overflow.Shed<E>() -> {
                boolean hasCapacity = cause == Cause.FULL && serviceClass != ServiceClass.BULK && shed(cost);
                yield hasCapacity ? accept(event, cost, serviceClass) : refuse(cause);
            }
            case Overflow.Degrade<E>(EventHandler<? super E> instead) -> degrade(event, instead);
            case Overflow.Spill<E> spill ->
                tryBeginSpill() ? spill(event, spill.away()) : refuse(admissionGate.isClosed() ? Cause.CLOSED : cause);
        };
    }

    private Admission refuse(Cause cause) {
        stageCounters.refused(cause);
        // This producer, or one that has shed events, may have held the last credits when the gate was closed.
        ended();
        return new Refused(cause, RETRY_AFTER);
    }

    /**
     * Does a turn of this stage's work on the thread of a producer that waits for credits. Does nothing if the handler
     * may block, which would block that thread.
     */
    private boolean help() {
        return !boundary.isBlocking() && workerPool.help();
    }

    /**
     * Drops as many events of class {@code BULK} as a better one needs credits. Drops none if all of them do not
     * suffice.
     */
    private boolean shed(int cost) {
        List<E> victims = eventConsumer.takeForShedding(admissionGate.shortage(cost));
        // Victims that did not suffice were out of the line for a moment. A worker that checked the line then has left,
        // so another one is called.
        if (victims.isEmpty()) {
            signalWork();
        }
        victims.forEach(victim -> drop(victim, Drop.of(Drop.Cause.SHED, "evicted for a more important event")));
        return admissionGate.retryEnter(cost) == null;
    }

    @SuppressWarnings("CatchingUnchecked") // A handler's exception must not reach the producer.
    private Admission degrade(E event, EventHandler<? super E> instead) {
        try {
            instead.handle(event);
            stageCounters.degraded();
        } catch (Throwable thrown) {
            Handling.keepInterrupt(thrown);
            drop(event, Drop.failed(Drop.Cause.FAILED, thrown));
        }
        return Taken.DEGRADED;
    }

    /** Claims a permit to spill one more event. Returns false if all are taken or the gate is closed. */
    private boolean tryBeginSpill() {
        // The permit is claimed before the gate is checked; a drain closes the gate before it counts permits. So one of
        // the two sees the other.
        boolean claimed = spillCredits.tryClaim(1);
        if (claimed && admissionGate.isClosed()) {
            spillCredits.release(1);
            claimed = false;
        }
        return claimed;
    }

    @SuppressWarnings("CatchingUnchecked") // Any exception ends the spill.
    private Admission spill(E event, Function<? super E, CompletableFuture<?>> away) {
        CompletableFuture<?> spilled;
        try {
            spilled = requireNonNull(away.apply(event), "the future of a spill");
        } catch (Throwable thrown) {
            spilled = CompletableFuture.failedFuture(thrown);
        }
        var unused = spilled.whenComplete((result, thrown) -> {
            if (thrown == null) {
                stageCounters.spilled(event);
            } else {
                drop(event, Drop.failed(Drop.Cause.NOT_SPILLED, thrown));
            }
            spillCredits.release(1);
            ended();
        });
        return Taken.SPILLED;
    }

    /**
     * Claims credits for an event of a {@link Reservation}.
     *
     * @param claims receives the claim if there are enough credits
     * @return the cause of a refusal; null if the credits are claimed
     */
    @Nullable
    Cause reserve(E event, Collection<Reservation.Claim> claims) {
        int cost = boundary.costOf(event);
        ServiceClass serviceClass = boundary.classOf(event);
        Cause cause = admissionGate.enter(cost, serviceClass);
        if (cause == null) {
            claims.add(new Reservation.Claim(() -> put(event, cost, serviceClass), () -> {
                admissionGate.leave(cost);
                ended();
            }));
        } else {
            ended();
        }
        return cause;
    }

    /** Appends an event that has its credits to the line, and calls a worker. */
    private void put(E event, int cost, ServiceClass serviceClass) {
        eventConsumer.add(event, cost, serviceClass);
        signalWork();
    }

    @Override
    public boolean control(E event) throws InterruptedException {
        requireNonNull(event, "event");
        if (!admissionGate.enterControl(this::help)) {
            ended();
            return false;
        }
        eventConsumer.addControl(event);
        signalWork();
        return true;
    }

    private void signalWork() {
        workerPool.call();
        // The flag is set before the line is emptied. So an event that gets in line meanwhile is dropped either here or
        // there.
        if (abandoned) {
            dropAll();
        }
    }

    // Work of the crew.

    @Override
    public boolean hasWork() {
        return !eventConsumer.isEmpty();
    }

    @Override
    public boolean handleNext() {
        return eventConsumer.handleNext();
    }

    @Override
    public void isSlow(StackTraceElement[] stackTrace) {
        stageCounters.isSlow(stackTrace);
    }

    private void drop(E event, Drop drop) {
        stageCounters.dropped(event, drop);
    }

    // Life cycle.

    @Override
    public void concurrency(int workers) {
        if (boundary.controller().isPresent()) {
            throw new IllegalStateException(
                    "stage %s: a controller sets its concurrency (expected: a stage without a controller)"
                            .formatted(name));
        }
        workers(workers);
    }

    private void workers(int count) {
        Boundary.within("workers", count, MAX_CONCURRENCY);
        workerPool.places(count);
    }

    /**
     * {@inheritDoc}
     *
     * <p>A drain closes the gate before it resumes the crew, and this method pauses the crew before it checks the gate.
     * So one of the two sees the other, and the stage is not left paused.
     */
    @Override
    public void pause() {
        workerPool.pause();
        if (admissionGate.isClosed()) {
            workerPool.resume();
        }
    }

    @Override
    public void resume() {
        workerPool.resume();
    }

    @Override
    public LocalStatus status() {
        return stageCounters.status(
                workerPool.isPaused(),
                boundary.capacity(),
                admissionGate.taken(),
                workerPool.size(),
                workerPool.places(),
                handling.maxBatch(),
                admissionGate.limits());
    }

    @Override
    public CompletableFuture<Void> drain(Duration deadline) {
        admissionGate.close();
        resume();
        ended();
        if (!drained.isDone()) {
            Duration bounded = deadline.compareTo(MAX_DRAIN) > 0 ? MAX_DRAIN : deadline;
            timer.schedule(drainTimeout(), Math.max(0, Deadlines.nanos(bounded)));
        }
        return drained.copy();
    }

    /**
     * Returns the action of the deadline. It runs on the executor for blocking work, not on the timer's thread, since
     * there may be many events to drop and many listeners. The timer holds the stage by a weak reference, so it does
     * not keep a drained stage in memory for the rest of the deadline.
     */
    private Runnable drainTimeout() {
        WeakReference<BoundedStage<E>> reference = new WeakReference<>(this);
        Executor executor = blocking;
        return () -> Optional.ofNullable(reference.get()).ifPresent(stage -> executor.execute(stage::abandon));
    }

    private void abandon() {
        if (!drained.isDone()) {
            onNoThread();
        }
    }

    @Override
    public void onNoThread() {
        abandoned = true;
        dropAll();
        drained.complete(null);
    }

    private void dropAll() {
        for (E event = eventConsumer.take(); event != null; event = eventConsumer.take()) {
            drop(event, Drop.of(Drop.Cause.CLOSED, "the stage was removed before it handled the event"));
        }
    }

    @Override
    public void ended() {
        // The order of the three checks matters. A worker takes its place before it returns the credits of an event, so
        // an event that had no credits at the first check has a place at the second one, or was handled.
        if (admissionGate.isDrained() && workerPool.size() == 0 && spillCredits.taken() == 0) {
            drained.complete(null);
        }
    }
}
