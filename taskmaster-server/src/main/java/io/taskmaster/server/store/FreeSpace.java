package io.taskmaster.server.store;

/**
 * The capacity that a store has left. Immutable.
 *
 * @param reason the resource that is short, in words for operators; empty if none is
 */
public record FreeSpace(Level level, String reason) {

    public static final FreeSpace AMPLE = new FreeSpace(Level.AMPLE, "");

    /** The kinds of requests that a store still has capacity for. */
    public enum Level {
        /** All requests. */
        AMPLE,
        /** Requests that remove or move tasks, but none that add any. */
        LOW,
        /** Reads only. */
        NONE
    }

    /**
     * Returns whether a request is admitted.
     *
     * @param writes whether the request writes at all
     * @param addsTasks whether the request adds tasks
     */
    public boolean allows(boolean writes, boolean addsTasks) {
        return switch (level) {
            case AMPLE -> true;
            case LOW -> !addsTasks;
            case NONE -> !writes;
        };
    }
}
