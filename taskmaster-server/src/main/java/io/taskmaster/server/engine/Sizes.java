package io.taskmaster.server.engine;

/**
 * How many tasks a queue holds, as of its last atom: what time has done since is not in it. Immutable.
 *
 * @param available may be leased
 * @param leased under a lease, expired ones included
 * @param delayed not to be leased before some instant, those included whose time has come
 */
public record Sizes(long available, long leased, long delayed) {

    public static final Sizes NONE = new Sizes(0, 0, 0);

    public long total() {
        return available + leased + delayed;
    }
}
