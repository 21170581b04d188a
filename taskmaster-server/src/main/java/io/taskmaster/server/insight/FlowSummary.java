package io.taskmaster.server.insight;

/**
 * The state of some queues together. Immutable.
 *
 * @param total the current sizes, and the events since observation began
 * @param recent the events of the last minute, or since observation began
 */
public record FlowSummary(Point total, Point recent) {

    /**
     * Returns the time that the available tasks take at the rate of dequeues of the last minute, in seconds: 0 if there
     * are none, infinite if no task was dequeued.
     */
    public double backlogSeconds() {
        return recent.available() == 0 ? 0 : recent.available() / recent.perSecond(recent.dequeued());
    }
}
