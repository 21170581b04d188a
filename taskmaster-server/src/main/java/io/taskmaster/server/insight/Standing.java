package io.taskmaster.server.insight;

/**
 * How some queues stand together. Immutable.
 *
 * @param total what happened since they are watched, and what there is
 * @param lately what happened in the last minute, or since they are watched
 */
public record Standing(Point total, Point lately) {

    /** How long what might be leased takes at the rate of the last minute: 0 if there is nothing, and without end if nothing was dequeued. */
    public double backlogSeconds() {
        return lately.available() == 0 ? 0 : lately.available() / lately.perSecond(lately.dequeued());
    }
}
