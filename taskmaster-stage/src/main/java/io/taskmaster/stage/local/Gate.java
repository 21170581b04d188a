package io.taskmaster.stage.local;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.guard.Guard;
import io.taskmaster.stage.local.Room.Entry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where events come in: whether there is {@link Room}, and whether it is for them. Thread-safe.
 *
 * <p>Who comes in has its credits first and looks whether the gate is closed after that; who closes it does the opposite. So once it is closed and
 * no credits are taken, nobody is on the way in. Whoever is refused because it is closed may have been the last, and looks whether it is over.
 */
final class Gate {

    /** Control events that may wait in one stage. */
    static final int MAX_CONTROLS = 1_024;

    /** How long a control event waits for one of those places. */
    private static final Duration LONGEST_CONTROL_WAIT = Duration.ofSeconds(30);

    /** Pauses of a processor: about two microseconds on the x86 of today, less on others. */
    private static final int MOMENT = 64;

    private final Timer timer;
    private final Guard guard;
    private final Lines lines;
    private final Room room;
    private final Room controls;
    private final @Nullable AdmissionControl admission;
    private final boolean wantsWaits;
    private final boolean wantsAnswers;

    Gate(Boundary<?> boundary, Lines lines, Timer timer, Guard guard) {
        this.timer = timer;
        this.guard = guard;
        this.lines = lines;
        this.room = new Room(boundary.capacity(), timer);
        this.controls = new Room(MAX_CONTROLS, timer);
        this.admission =
                boundary.admission().map(rule -> rule.begin(timer.nanoTime())).orElse(null);
        this.wantsWaits = admission != null && admission.wantsWaits();
        this.wantsAnswers = admission != null && admission.wantsAnswers();
    }

    boolean wantsWaits() {
        return wantsWaits;
    }

    boolean wantsAnswers() {
        return wantsAnswers;
    }

    /** An event has waited; told only if somebody {@linkplain #wantsWaits wants} to know. */
    void waited(long sinceNanos) {
        long nowNanos = timer.nanoTime();
        tell(control -> control.waited(nowNanos - sinceNanos, nowNanos));
    }

    /** An event was handled; told only if somebody {@linkplain #wantsAnswers wants} to know. */
    void answered(ServiceClass serviceClass, long nanos, long nowNanos) {
        tell(control -> control.answered(serviceClass, nanos, nowNanos));
    }

    private void tell(Consumer<AdmissionControl> what) {
        if (admission != null) {
            guard.run("an admission rule", () -> what.accept(admission));
        }
    }

    /** Takes credits for an event. Null: it has them. */
    @Nullable
    Cause enter(int cost, ServiceClass serviceClass) {
        if (cost > room.capacity()) {
            return Cause.TOO_LARGE;
        }
        if (admission != null && !admission.admits(candidate(cost, serviceClass))) {
            return isClosed() ? Cause.CLOSED : Cause.NOT_ADMITTED;
        }
        return causeOf(room.enter(cost));
    }

    private Candidate candidate(int cost, ServiceClass serviceClass) {
        return new Candidate(
                cost, serviceClass, room.taken(), lines.size(serviceClass), room.capacity(), timer.nanoTime());
    }

    /** Takes credits that are free, whatever the admission rule says; for an event that it has let in already. */
    @Nullable
    Cause enterAgain(int cost) {
        return causeOf(room.enter(cost));
    }

    /**
     * Takes credits once they are free and those who wait already have theirs.
     *
     * @param help does something that may free some; false if there was nothing to do
     */
    @Nullable
    Cause enterInTime(int cost, Duration max, BooleanSupplier help) {
        try {
            return causeOf(await(room, cost, max, help));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Cause.INTERRUPTED;
        }
    }

    /**
     * Takes a credit for a control event, as soon as there is one. False if the gate is closed.
     *
     * @throws IllegalStateException if there was none for too long: nobody handles them
     */
    boolean enterFirst(BooleanSupplier help) throws InterruptedException {
        Entry entry = controls.enter(1);
        if (entry == Entry.FULL) {
            entry = await(controls, 1, LONGEST_CONTROL_WAIT, help);
        }
        if (entry == Entry.FULL) {
            throw new IllegalStateException("control events: %d wait, for %s now (expected: that they are handled)"
                    .formatted(MAX_CONTROLS, LONGEST_CONTROL_WAIT));
        }
        return entry == Entry.IN;
    }

    private static Entry await(Room where, int cost, Duration max, BooleanSupplier help) throws InterruptedException {
        if (Crew.isAtWork()) {
            return where.await(cost, max.toNanos(), help);
        }
        hesitate();
        Entry soon = where.enter(cost);
        return soon == Entry.FULL ? where.await(cost, max.toNanos(), null) : soon;
    }

    /** A moment in which a stage that is quick makes room for many events: who does not wait for it gets in line for a few of them at a time. */
    private static void hesitate() {
        for (int i = 0; i < MOMENT; i++) {
            Thread.onSpinWait();
        }
    }

    private static @Nullable Cause causeOf(Entry entry) {
        return switch (entry) {
            case IN -> null;
            case FULL -> Cause.FULL;
            case CLOSED -> Cause.CLOSED;
        };
    }

    void leave(int cost) {
        room.leave(cost);
    }

    void leaveFirst() {
        controls.leave(1);
    }

    void close() {
        room.close();
        controls.close();
    }

    boolean isClosed() {
        return room.isClosed();
    }

    /** How many credits an event would lack. */
    long lacking(int cost) {
        return room.taken() + cost - room.capacity();
    }

    /** Whether nobody comes in any more, and all have left. */
    boolean isOver() {
        return room.isClosed() && controls.isClosed() && room.taken() == 0 && controls.taken() == 0;
    }

    long taken() {
        return room.taken();
    }

    /** Of the admission rule; none if there is no rule, or it cannot say them. */
    Map<String, Double> limits() {
        Map<String, Double> limits = new HashMap<>();
        tell(control -> limits.putAll(Map.copyOf(control.limits(timer.nanoTime()))));
        return limits;
    }
}
