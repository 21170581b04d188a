package io.taskmaster.stage.local;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.steering.Watch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where events leave the {@link Lines} for the handler: they give their credits back to the {@link Gate}, and those that nobody waits for any
 * more go no further. It measures what somebody wants to know, and looks at no clock otherwise. Thread-safe.
 */
final class Exit<E> {

    /** An event in line, if more is to be known of it than that it costs one credit. */
    private record Entry<E>(E event, int cost, ServiceClass serviceClass, long sinceNanos) {}

    private final Handling<E> handling;
    private final Lines lines;
    private final Gate gate;
    private final Ledger<E> ledger;
    private final Timer timer;
    private final @Nullable Watch watch;
    private final boolean needsTimes;

    /** Whether somebody wants to know of each event when its handler was done. */
    private final boolean needsEnds;

    private final boolean needsEntries;

    /**
     * @param haveCosts whether events may cost more than one credit
     * @param watch null: nobody watches
     */
    Exit(
            Handling<E> handling,
            Lines lines,
            boolean haveCosts,
            Gate gate,
            Ledger<E> ledger,
            Timer timer,
            @Nullable Watch watch) {
        this.handling = handling;
        this.lines = lines;
        this.gate = gate;
        this.ledger = ledger;
        this.timer = timer;
        this.watch = watch;
        this.needsEnds = gate.wantsAnswers() || ledger.wantsTimes();
        this.needsTimes = gate.wantsWaits() || needsEnds;
        this.needsEntries = haveCosts || needsTimes;
    }

    /** Puts an event in line that has its credits. */
    void add(E event, int cost, ServiceClass serviceClass) {
        lines.add(
                serviceClass,
                needsEntries ? new Entry<>(event, cost, serviceClass, needsTimes ? timer.nanoTime() : 0) : event);
    }

    void addControl(E event) {
        lines.addControl(event);
    }

    /** How many events wait, control events left out. */
    long size() {
        return lines.size();
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    /** Hands some events to the handler. False if there were none. */
    boolean turn() {
        if (watch == null && !needsEnds) {
            return handling.turn(() -> next(null));
        }
        Turn turn = new Turn();
        boolean any = handling.turn(() -> next(turn));
        turn.ended();
        return any;
    }

    /** A turn of which somebody wants to know how long it took. Single-threaded: owned by its worker. */
    private final class Turn {

        private final long beganNanos = timer.nanoTime();
        private final List<Entry<E>> entries = new ArrayList<>(1);
        private int count;

        /** The entry that was taken last. Null: none is known of it. */
        private @Nullable Entry<E> last;

        void took(boolean isDropped) {
            if (!isDropped) {
                count++;
                if (last != null) {
                    entries.add(last);
                }
            }
            last = null;
        }

        void ended() {
            long nowNanos = timer.nanoTime();
            if (watch != null) {
                watch.handled(count, nowNanos - beganNanos);
            }
            for (Entry<E> entry : entries) {
                ledger.took(Math.max(0, beganNanos - entry.sinceNanos()), nowNanos - beganNanos);
                if (gate.wantsAnswers()) {
                    gate.answered(entry.serviceClass(), nowNanos - entry.sinceNanos(), nowNanos);
                }
            }
        }
    }

    /** The next that somebody waits for, as far as one can know. */
    private @Nullable E next(@Nullable Turn turn) {
        for (; ; ) {
            E event = take(turn);
            if (event == null) {
                return null;
            }
            boolean isDropped = ledger.dropsCancelled(event);
            if (turn != null) {
                turn.took(isDropped);
            }
            if (!isDropped) {
                return event;
            }
        }
    }

    /** Takes the first out of line, for whatever end. Null: there is none. */
    @Nullable
    E take() {
        return take(null);
    }

    @SuppressWarnings("unchecked") // Only events of this stage get in line.
    private @Nullable E take(@Nullable Turn turn) {
        Object control = lines.pollControl();
        if (control != null) {
            gate.leaveFirst();
            return (E) control;
        }
        Object first = lines.poll();
        return first == null ? null : leave(first, turn);
    }

    @SuppressWarnings("unchecked") // Only events of this stage get in line.
    private E leave(Object inLine, @Nullable Turn turn) {
        if (!needsEntries) {
            gate.leave(1);
            return (E) inLine;
        }
        Entry<E> entry = (Entry<E>) inLine;
        gate.leave(entry.cost());
        if (gate.wantsWaits()) {
            gate.waited(entry.sinceNanos());
        }
        if (turn != null && needsEnds) {
            turn.last = entry;
        }
        return entry.event();
    }

    /** Takes as many events of the class BULK out of line as make up for so many credits; none if all of them do not. */
    List<E> takeBulk(long credits) {
        List<Object> victims = new ArrayList<>();
        for (long lacking = credits; lacking > 0; ) {
            Object victim = lines.pollBulk();
            if (victim == null) {
                victims.forEach(spared -> lines.add(ServiceClass.BULK, spared));
                return List.of();
            }
            victims.add(victim);
            lacking -= needsEntries ? ((Entry<?>) victim).cost() : 1;
        }
        return victims.stream().map(victim -> leave(victim, null)).toList();
    }
}
