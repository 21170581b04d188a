package io.taskmaster.model;

import com.google.common.hash.Hashing;

/**
 * The mapping of consistency groups to partitions. The hash is FarmHash Fingerprint64, whose values never change: a
 * group must find its tasks again after any upgrade.
 */
public final class Partitions {

    /** The number of partitions of a deployment, unless it was created with another number. */
    public static final int DEFAULT_COUNT = 256;

    private Partitions() {}

    /** Returns the partition of a group, from 0 to {@code count - 1}. */
    public static int partitionOf(GroupName group, int count) {
        long hash =
                Hashing.farmHashFingerprint64().hashBytes(group.unsafeArray()).asLong();
        return (int) Long.remainderUnsigned(hash, count);
    }
}
