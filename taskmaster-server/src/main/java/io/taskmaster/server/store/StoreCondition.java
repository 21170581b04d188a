package io.taskmaster.server.store;

import java.util.OptionalLong;

/**
 * The state of a store, as operators see it. Immutable.
 *
 * @param reason the reason why the store is not open; empty if it is
 * @param freeBytes the free bytes of the disk that holds it, if it is on one
 * @param reopenings the number of times that the store was reopened since the server started
 */
public record StoreCondition(State state, String reason, OptionalLong freeBytes, long reopenings) {

    /** The condition of a remote store, which takes care of itself. */
    public static final StoreCondition OPEN = new StoreCondition(State.OPEN, "", OptionalLong.empty(), 0);

    /**
     * The availability of a store. {@link ReopeningStore} makes the transitions; a remote store is always
     * {@link #OPEN}.
     *
     * <pre>{@code
     * state     | event                              | next state | effect
     * ----------+------------------------------------+------------+-------------------------------------------
     * OPEN      | a write failed, the handle breaks  | REOPENING  | all sessions fail, so all epochs end
     * REOPENING | the store opens again              | OPEN       | partitions open again, with new epochs
     * REOPENING | this try fails, a later one may    | REOPENING  | another try after a pause
     *           | not succeed                        |            |
     * REOPENING | corrupt, in use by another process | LOST       | the server exits
     *           | or cannot be closed                |            |
     * LOST      | none                               | LOST       | only a new process can open it
     * }</pre>
     */
    public enum State {
        OPEN,
        /** A write failed; the store is being closed and reopened. */
        REOPENING,
        /** This process cannot open the store any more. */
        LOST
    }
}
