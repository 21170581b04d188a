package io.taskmaster.stage.local;

import io.taskmaster.client.ServiceClass;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jctools.queues.MpmcArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The events that wait at a boundary: control events, which go first, then those of the two classes. None of the lines is ever full, for every
 * event in them has a credit. Lock-free; thread-safe.
 */
final class Lines {

    /** One event in so many is one of the second class, if one waits: else it might wait for ever. */
    private static final int TURNS_OF_BULK = 8;

    /**
     * A line has at least so many places more than there are credits, rounded up to a power of two, so that in a full one the first and the last event are not next to
     * each other: both sides would write to the same lines of a processor's cache.
     */
    private static final int APART = 128;

    private final Queue<Object> control = new ConcurrentLinkedQueue<>();
    private final Queue<Object> interactive;
    private final @Nullable Queue<Object> bulk;
    private final AtomicInteger turns = new AtomicInteger();

    /**
     * @param hasClasses whether there are events of class BULK
     */
    Lines(int capacity, boolean hasClasses) {
        interactive = line(capacity);
        bulk = hasClasses ? line(capacity) : null;
    }

    private static Queue<Object> line(int capacity) {
        return new MpmcArrayQueue<>(capacity + APART);
    }

    void addControl(Object event) {
        control.add(event);
    }

    void add(ServiceClass serviceClass, Object event) {
        if (!line(serviceClass).offer(event)) {
            throw new IllegalStateException("line: full (expected: a place for every credit)");
        }
    }

    @Nullable
    Object pollControl() {
        return control.poll();
    }

    @Nullable
    Object poll() {
        if (bulk == null) {
            return interactive.poll();
        }
        Queue<Object> first = interactive;
        Queue<Object> second = bulk;
        if (turns.incrementAndGet() % TURNS_OF_BULK == 0) {
            first = bulk;
            second = interactive;
        }
        Object event = first.poll();
        return event != null ? event : second.poll();
    }

    /** One that may make room for a better one. */
    @Nullable
    Object pollBulk() {
        return bulk == null ? null : bulk.poll();
    }

    /** Events of both classes; while others come and go, as it was a moment ago. */
    int size() {
        return interactive.size() + (bulk == null ? 0 : bulk.size());
    }

    /** Those of one class, likewise. */
    int size(ServiceClass serviceClass) {
        return line(serviceClass).size();
    }

    private Queue<Object> line(ServiceClass serviceClass) {
        return bulk != null && serviceClass == ServiceClass.BULK ? bulk : interactive;
    }

    boolean isEmpty() {
        return interactive.isEmpty() && control.isEmpty() && (bulk == null || bulk.isEmpty());
    }
}
