package io.taskmaster.stage.local;

import static java.util.Objects.requireNonNull;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.steering.Lever;
import io.taskmaster.stage.steering.Steering;
import io.taskmaster.stage.steering.Watch;
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
 * A stage behind a {@link Boundary}: an event gets credits at the {@link Gate}, waits in line until one of the {@link Crew} takes it at the
 * {@link Exit}, and is written down in the {@link Ledger}. Thread-safe.
 */
final class BoundedStage<E> implements LocalStage<E>, Crew.Work {

    /** When a producer may try again: a guess, for nobody knows. */
    private static final Duration RETRY_AFTER = Duration.ofMillis(100);

    private static final Duration LONGEST_DRAIN = Duration.ofDays(1);

    private final String name;
    private final Boundary<E> boundary;
    private final Handling<E> handling;
    private final Ledger<E> ledger;
    private final Timer timer;
    private final Gate gate;
    private final Exit<E> exit;

    /** Null: no controller wants to know. */
    private final @Nullable Watch watch;

    private final Crew crew;
    private final Credits spills;
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private final Executor blocking;
    private volatile boolean abandoned;

    BoundedStage(String name, Boundary<E> boundary, Handling<E> handling, Ledger<E> ledger, Workshop workshop) {
        this.name = name;
        this.boundary = boundary;
        this.handling = handling;
        this.ledger = ledger;
        this.timer = workshop.timer();
        this.blocking = workshop.blocking();
        Lines lines = new Lines(boundary.capacity(), boundary.serviceClass().isPresent());
        this.gate = new Gate(boundary, lines, timer, ledger.guard());
        List<Lever> levers = Stream.concat(
                        boundary.controller().map(decides -> new Lever(decides, this::workers)).stream(),
                        handling.batching().stream())
                .toList();
        this.watch = levers.isEmpty() ? null : new Watch(timer.nanoTime());
        this.exit = new Exit<>(handling, lines, boundary.cost().isPresent(), gate, ledger, timer, watch);
        this.crew = new Crew(
                boundary.isBlocking() ? Threads.unshared(blocking) : workshop.pool(), boundary.concurrency(), this);
        this.spills = new Credits(boundary.overflow() instanceof Overflow.Spill<E> spill ? spill.maxUnderWay() : 0);
        if (watch != null) {
            new Steering(
                            "local stage " + name,
                            timer,
                            levers,
                            nowNanos -> watch.sample(nowNanos, crew.isPaused() ? 0 : exit.size(), crew.size()),
                            drained::isDone)
                    .begin();
        }
    }

    @Override
    public String name() {
        return name;
    }

    // The way in. What the application says of an event is asked before there are credits to lose.

    @Override
    public Admission offer(E event) {
        int cost = boundary.costOf(event);
        ServiceClass serviceClass = boundary.classOf(event);
        Cause cause = gate.enter(cost, serviceClass);
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
        // Nobody waits for a stage that is paused: more workers would be of no use.
        if (watch != null && !crew.isPaused()) {
            watch.turnedAway();
        }
        return switch (boundary.overflow()) {
            case Overflow.Reject<E>() -> refuse(cause);
            case Overflow.Block<E>(Duration max) -> {
                Cause later = cause == Cause.FULL ? gate.enterInTime(cost, max, this::help) : cause;
                yield later == null ? accept(event, cost, serviceClass) : refuse(later);
            }
            case Overflow.Shed<E>() -> {
                boolean hasRoom = cause == Cause.FULL && serviceClass != ServiceClass.BULK && makeRoom(cost);
                yield hasRoom ? accept(event, cost, serviceClass) : refuse(cause);
            }
            case Overflow.Degrade<E>(EventHandler<? super E> instead) -> degrade(event, instead);
            case Overflow.Spill<E>(int _, Function<? super E, CompletableFuture<?>> away) ->
                beginSpill() ? spill(event, away) : refuse(gate.isClosed() ? Cause.CLOSED : cause);
        };
    }

    private Admission refuse(Cause cause) {
        ledger.refused(cause);
        // Who was on the way in, or has shed others, when the gate was closed may have been the last to leave.
        ended();
        return new Refused(cause, RETRY_AFTER);
    }

    /** Does some of the work of this stage on the thread of a producer that waits for room; but for work that would block that thread. */
    private boolean help() {
        return !boundary.isBlocking() && crew.help();
    }

    /** Drops as many events of the class BULK as make room for a better one; none if all of them do not. */
    private boolean makeRoom(int cost) {
        List<E> victims = exit.takeBulk(gate.lacking(cost));
        if (victims.isEmpty()) {
            called();
        }
        victims.forEach(victim -> drop(victim, Drop.of(Drop.Cause.SHED, "room was needed for a better one")));
        return gate.enterAgain(cost) == null;
    }

    @SuppressWarnings("CatchingUnchecked") // Whatever a handler throws is no concern of the producer's.
    private Admission degrade(E event, EventHandler<? super E> instead) {
        try {
            instead.handle(event);
            ledger.degraded();
        } catch (Throwable thrown) {
            Handling.keepInterrupt(thrown);
            drop(event, Drop.failed(Drop.Cause.FAILED, thrown));
        }
        return Taken.DEGRADED;
    }

    /** Whether one more may be spilled. */
    private boolean beginSpill() {
        boolean may = spills.tryClaim(1);
        if (may && gate.isClosed()) {
            spills.giveBack(1);
            may = false;
        }
        return may;
    }

    @SuppressWarnings("CatchingUnchecked") // Whatever it throws, it is over.
    private Admission spill(E event, Function<? super E, CompletableFuture<?>> away) {
        CompletableFuture<?> way;
        try {
            way = requireNonNull(away.apply(event), "the future of a spill");
        } catch (Throwable thrown) {
            way = CompletableFuture.failedFuture(thrown);
        }
        CompletableFuture<?> _ = way.whenComplete((_, thrown) -> {
            if (thrown == null) {
                ledger.spilled(event);
            } else {
                drop(event, Drop.failed(Drop.Cause.NOT_SPILLED, thrown));
            }
            spills.giveBack(1);
            ended();
        });
        return Taken.SPILLED;
    }

    /**
     * Claims room for an event.
     *
     * @param claims where it is put if there is room
     */
    @Nullable
    Cause reserve(E event, Collection<Reservation.Claim> claims) {
        int cost = boundary.costOf(event);
        ServiceClass serviceClass = boundary.classOf(event);
        Cause cause = gate.enter(cost, serviceClass);
        if (cause == null) {
            claims.add(new Reservation.Claim(() -> put(event, cost, serviceClass), () -> {
                gate.leave(cost);
                ended();
            }));
        } else {
            ended();
        }
        return cause;
    }

    /** Puts an event in line that has its credits. */
    private void put(E event, int cost, ServiceClass serviceClass) {
        exit.add(event, cost, serviceClass);
        called();
    }

    @Override
    public boolean control(E event) throws InterruptedException {
        requireNonNull(event, "event");
        if (!gate.enterFirst(this::help)) {
            ended();
            return false;
        }
        exit.addControl(event);
        called();
        return true;
    }

    private void called() {
        crew.call();
        if (abandoned) {
            dropAll();
        }
    }

    // The way out.

    @Override
    public boolean isThereAny() {
        return !exit.isEmpty();
    }

    @Override
    public boolean turn() {
        return exit.turn();
    }

    @Override
    public void isSlow(StackTraceElement[] where) {
        ledger.isSlow(where);
    }

    private void drop(E event, Drop drop) {
        ledger.dropped(event, drop);
    }

    // Its life.

    @Override
    public void concurrency(int workers) {
        if (boundary.controller().isPresent()) {
            throw new IllegalStateException(
                    "stage %s: a controller sets its concurrency (expected: none)".formatted(name));
        }
        workers(workers);
    }

    private void workers(int count) {
        Boundary.within("workers", count, MAX_CONCURRENCY);
        crew.places(count);
    }

    /** Whoever drains it closes the gate before it resumes: so one of both sees the other, and it is not paused in the end. */
    @Override
    public void pause() {
        crew.pause();
        if (gate.isClosed()) {
            crew.resume();
        }
    }

    @Override
    public void resume() {
        crew.resume();
    }

    @Override
    public LocalStatus status() {
        return ledger.status(
                crew.isPaused(),
                boundary.capacity(),
                gate.taken(),
                crew.size(),
                crew.places(),
                handling.maxBatch(),
                gate.limits());
    }

    @Override
    public CompletableFuture<Void> drain(Duration deadline) {
        gate.close();
        resume();
        ended();
        if (!drained.isDone()) {
            Duration bounded = deadline.compareTo(LONGEST_DRAIN) > 0 ? LONGEST_DRAIN : deadline;
            timer.schedule(alarm(), Math.max(0, Deadlines.nanos(bounded)));
        }
        return drained.copy();
    }

    /** Not on its own thread: there may be much to drop, and many who listen. A stage that is gone is not kept for it. */
    private Runnable alarm() {
        WeakReference<BoundedStage<E>> reference = new WeakReference<>(this);
        Executor elsewhere = blocking;
        return () -> Optional.ofNullable(reference.get()).ifPresent(stage -> elsewhere.execute(stage::abandon));
    }

    private void abandon() {
        if (!drained.isDone()) {
            deserted();
        }
    }

    @Override
    public void deserted() {
        abandoned = true;
        dropAll();
        drained.complete(null);
    }

    private void dropAll() {
        for (E event = exit.take(); event != null; event = exit.take()) {
            drop(event, Drop.of(Drop.Cause.CLOSED, "the stage was removed before its turn"));
        }
    }

    @Override
    public void ended() {
        if (gate.isOver() && crew.size() == 0 && spills.taken() == 0) {
            drained.complete(null);
        }
    }
}
