package io.taskmaster.server.store;

import java.util.OptionalLong;

/**
 * The state of a store, as operators see it. Immutable.
 *
 * @param why it is not open; empty if it is
 * @param freeBytes of the disk that holds it, where it is on one
 * @param reopenings how often it was opened anew since the server started
 */
public record StoreCondition(State state, String why, OptionalLong freeBytes, long reopenings) {

    /** Of a store that is somewhere else, and looks after itself. */
    public static final StoreCondition OPEN = new StoreCondition(State.OPEN, "", OptionalLong.empty(), 0);

    /** Whether it takes operations. */
    public enum State {
        OPEN,
        /** A write failed, and it is being closed and opened anew. */
        REOPENING,
        /** It cannot be opened by this process any more. */
        LOST
    }
}
