package io.taskmaster.server.partition;

import java.util.TreeSet;

/**
 * The reads under way, by id. An entry that became clean after a read began must stay in memory until that read has ended, since its
 * result may show an older value. Single-threaded: owned by the partition's loop.
 */
final class Reads {

    private final TreeSet<Long> underWay = new TreeSet<>();
    private long newest;

    /** A read begins; what is clean by now it will show. */
    long begin() {
        newest++;
        underWay.add(newest);
        return newest;
    }

    void end(long id) {
        underWay.remove(id);
    }

    long newest() {
        return newest;
    }

    /** {@link Long#MAX_VALUE} if there is none. */
    long oldest() {
        return underWay.isEmpty() ? Long.MAX_VALUE : underWay.first();
    }
}
