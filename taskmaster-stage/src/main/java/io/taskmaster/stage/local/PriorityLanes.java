package io.taskmaster.stage.local;

import io.taskmaster.client.ServiceClass;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jctools.queues.MpmcArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The events that wait at a boundary: control events, which go first, then those of the two service classes. No line is
 * ever full, since every event in it holds a credit. Lock-free; thread-safe.
 */
public final class PriorityLanes {

    /** One event in this number is of class {@code BULK}, if one waits, so that bulk events do not starve. */
    private static final int BULK_TURN = 8;

    /**
     * The number of places that a line has beyond its credits, at least; the queue rounds up to a power of two. In a
     * full line the first and the last event are then not next to each other. Otherwise producers and consumers would
     * write to the same cache lines.
     */
    private static final int SLACK = 128;

    private final Queue<Object> control = new ConcurrentLinkedQueue<>();
    private final Queue<Object> interactive;
    private final @Nullable Queue<Object> bulk;
    private final AtomicInteger polls = new AtomicInteger();

    /** @param hasClasses whether there are events of class {@code BULK} */
    public PriorityLanes(int capacity, boolean hasClasses) {
        interactive = line(capacity);
        bulk = hasClasses ? line(capacity) : null;
    }

    private static Queue<Object> line(int capacity) {
        return new MpmcArrayQueue<>(capacity + SLACK);
    }

    void addControl(Object event) {
        control.add(event);
    }

    public void add(ServiceClass serviceClass, Object event) {
        if (!line(serviceClass).offer(event)) {
            throw new IllegalStateException("queue: full (expected: a place for every credit)");
        }
    }

    @Nullable
    Object pollControl() {
        return control.poll();
    }

    @Nullable
    public Object poll() {
        if (bulk == null) {
            return interactive.poll();
        }
        Queue<Object> first = interactive;
        Queue<Object> second = bulk;
        if (polls.incrementAndGet() % BULK_TURN == 0) {
            first = bulk;
            second = interactive;
        }
        Object event = first.poll();
        return event != null ? event : second.poll();
    }

    /** Takes an event that may be shed for a better one; null if there is none. */
    @Nullable
    Object pollBulk() {
        return bulk == null ? null : bulk.poll();
    }

    /** The number of events of both classes. While others come and go, it is as of a moment ago. */
    public int size() {
        return interactive.size() + (bulk == null ? 0 : bulk.size());
    }

    /** The number of events of one class, as of a moment ago. */
    int size(ServiceClass serviceClass) {
        return line(serviceClass).size();
    }

    private Queue<Object> line(ServiceClass serviceClass) {
        return bulk != null && serviceClass == ServiceClass.BULK ? bulk : interactive;
    }

    public boolean isEmpty() {
        return interactive.isEmpty() && control.isEmpty() && (bulk == null || bulk.isEmpty());
    }
}
