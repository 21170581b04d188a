package io.taskmaster.server.partition.log;

/**
 * Who takes partitions over. Immutable.
 *
 * @param name of the process, for people
 * @param mapVersion of the partition map that gives it the partitions; where one node has them all, the number of its claim. It takes
 *     none over that somebody already had under a later one
 */
public record Contender(String name, long mapVersion) {

    public Contender {
        if (mapVersion < 0) {
            throw new IllegalArgumentException("map version: " + mapVersion + " (expected: not negative)");
        }
    }

    /** A contender whose store nobody else can have: there is no map, and none is needed. */
    public static Contender alone(String name) {
        return new Contender(name, 0);
    }
}
