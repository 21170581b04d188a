package io.taskmaster.server.engine.command;

/**
 * The numbers of tasks of a queue as of its last atom. The effects of time since then are not in them. Immutable.
 *
 * @param available may be leased
 * @param leased under a lease, expired ones included
 * @param delayed not to be leased before some instant, including those whose time has come
 */
public record Sizes(long available, long leased, long delayed) {

    public static final Sizes NONE = new Sizes(0, 0, 0);

    public long total() {
        return available + leased + delayed;
    }
}
