package io.taskmaster.server.cluster;

/**
 * The range of format levels that a version of TaskMaster reads and writes. Immutable.
 *
 * @param lowest the lowest level, at least 1
 * @param highest the highest level
 */
public record FormatLevels(int lowest, int highest) {

    public FormatLevels {
        if (lowest < 1 || highest < lowest) {
            throw new IllegalArgumentException(
                    "format levels: %d to %d (expected: at least 1, in order)".formatted(lowest, highest));
        }
    }

    public boolean contains(int level) {
        return lowest <= level && level <= highest;
    }
}
