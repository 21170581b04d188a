package io.taskmaster.server.cluster;

import io.taskmaster.placement.PartitionMap;

/**
 * A map that is in force, or is to be. Immutable.
 *
 * @param map the map
 * @param formatLevel the level of the formats that the nodes write under it
 */
public record PublishedMap(PartitionMap map, int formatLevel) {

    public PublishedMap {
        if (formatLevel < 1) {
            throw new IllegalArgumentException("format level: %d (expected: at least 1)".formatted(formatLevel));
        }
    }

    public long version() {
        return map.version();
    }
}
