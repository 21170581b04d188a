package io.taskmaster.stage.local;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.steering.StageMonitor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of the {@link PriorityLanes}, where workers take events for the handler. Credits go back to the
 * {@link AdmissionGate} here, and events that were cancelled are dropped. Times are measured only if a controller, the
 * admission rule or a listener wants them; otherwise no clock is read. Thread-safe.
 */
final class EventConsumer<E> {

    /** An event in line, if more has to be known of it than that it costs one credit. */
    private record Entry<E>(E event, int cost, ServiceClass serviceClass, long sinceNanos) {}

    private final Handling<E> handling;
    private final PriorityLanes priorityLanes;
    private final AdmissionGate admissionGate;
    private final StageCounters<E> stageCounters;
    private final Timer timer;
    private final @Nullable StageMonitor stageMonitor;
    private final boolean needsTimes;

    /** True if the end of each event's handling has to be known. */
    private final boolean needsEnds;

    private final boolean needsEntries;

    /**
     * @param hasCosts whether events may cost more than one credit
     * @param stageMonitor measures for controllers; null if there is none
     */
    EventConsumer(
            Handling<E> handling,
            PriorityLanes priorityLanes,
            boolean hasCosts,
            AdmissionGate admissionGate,
            StageCounters<E> stageCounters,
            Timer timer,
            @Nullable StageMonitor stageMonitor) {
        this.handling = handling;
        this.priorityLanes = priorityLanes;
        this.admissionGate = admissionGate;
        this.stageCounters = stageCounters;
        this.timer = timer;
        this.stageMonitor = stageMonitor;
        this.needsEnds = admissionGate.needsResponseTimes() || stageCounters.needsTimes();
        this.needsTimes = admissionGate.needsWaits() || needsEnds;
        this.needsEntries = hasCosts || needsTimes;
    }

    /** Appends an event that has its credits to the line. */
    void add(E event, int cost, ServiceClass serviceClass) {
        priorityLanes.add(
                serviceClass,
                needsEntries ? new Entry<>(event, cost, serviceClass, needsTimes ? timer.nanoTime() : 0) : event);
    }

    void addControl(E event) {
        priorityLanes.addControl(event);
    }

    /** The number of events that wait, without control events. */
    long size() {
        return priorityLanes.size();
    }

    boolean isEmpty() {
        return priorityLanes.isEmpty();
    }

    /** Hands events to the handler. Returns false if there were none. */
    boolean handleNext() {
        if (stageMonitor == null && !needsEnds) {
            return handling.handleNext(() -> next(null));
        }
        Turn turn = new Turn();
        boolean any = handling.handleNext(() -> next(turn));
        turn.ended();
        return any;
    }

    /** A turn that is measured. Single-threaded: owned by its worker. */
    private final class Turn {

        private final long startNanos = timer.nanoTime();
        private final List<Entry<E>> entries = new ArrayList<>(1);
        private int count;

        /** The entry that was taken last; null for a control event. */
        private @Nullable Entry<E> last;

        void onTaken(boolean isDropped) {
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
            if (stageMonitor != null) {
                stageMonitor.handled(count, nowNanos - startNanos);
            }
            for (Entry<E> entry : entries) {
                stageCounters.took(Math.max(0, startNanos - entry.sinceNanos()), nowNanos - startNanos);
                if (admissionGate.needsResponseTimes()) {
                    admissionGate.answered(entry.serviceClass(), nowNanos - entry.sinceNanos(), nowNanos);
                }
            }
        }
    }

    /**
     * Takes the next event that is not cancelled, as far as is known, and drops those before it that are. Returns null
     * if there is none.
     */
    private @Nullable E next(@Nullable Turn turn) {
        for (; ; ) {
            E event = take(turn);
            if (event == null) {
                return null;
            }
            boolean isDropped = stageCounters.dropsCancelled(event);
            if (turn != null) {
                turn.onTaken(isDropped);
            }
            if (!isDropped) {
                return event;
            }
        }
    }

    /** Takes the first event out of line, to be handled or dropped. Returns null if there is none. */
    @Nullable
    E take() {
        return take(null);
    }

    @SuppressWarnings("unchecked") // Only events of this stage get in line.
    private @Nullable E take(@Nullable Turn turn) {
        Object control = priorityLanes.pollControl();
        if (control != null) {
            admissionGate.leaveControl();
            return (E) control;
        }
        Object first = priorityLanes.poll();
        return first == null ? null : releaseCredits(first, turn);
    }

    @SuppressWarnings("unchecked") // Only events of this stage get in line.
    private E releaseCredits(Object queued, @Nullable Turn turn) {
        if (!needsEntries) {
            admissionGate.leave(1);
            return (E) queued;
        }
        Entry<E> entry = (Entry<E>) queued;
        // Credits bound the line and not the handlers, so they are free before the event is handled.
        admissionGate.leave(entry.cost());
        if (admissionGate.needsWaits()) {
            admissionGate.waited(entry.sinceNanos());
        }
        if (turn != null && needsEnds) {
            turn.last = entry;
        }
        return entry.event();
    }

    /**
     * Takes as many events of class {@code BULK} out of line as make up for these credits. Takes none if all of them do
     * not suffice.
     */
    List<E> takeForShedding(long credits) {
        List<Object> victims = new ArrayList<>();
        for (long lacking = credits; lacking > 0; ) {
            Object victim = priorityLanes.pollBulk();
            if (victim == null) {
                // Those that were taken go back to the end of the line, with their credits. Their order against bulk
                // events that came meanwhile is lost.
                victims.forEach(restored -> priorityLanes.add(ServiceClass.BULK, restored));
                return List.of();
            }
            victims.add(victim);
            lacking -= needsEntries ? ((Entry<?>) victim).cost() : 1;
        }
        return victims.stream().map(victim -> releaseCredits(victim, null)).toList();
    }
}
