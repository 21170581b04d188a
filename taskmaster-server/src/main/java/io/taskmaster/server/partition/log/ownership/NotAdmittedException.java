package io.taskmaster.server.partition.log.ownership;

import io.taskmaster.error.PartitionOwner;

/**
 * A failure because the record of a partition does not {@linkplain PartitionRecord#admits admit} a candidate: the
 * partition has had an owner under a map that is no older. The candidate must not try again under its version.
 */
public final class NotAdmittedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient PartitionOwner owner;

    /** Creates the failure of a candidate, with the owner that the record names. */
    public NotAdmittedException(PartitionOwner owner, OwnerCandidate candidate) {
        super("%s (expected: a version before %d, that of %s)"
                .formatted(owner, candidate.mapVersion(), candidate.name()));
        this.owner = owner;
    }

    /** The owner that the record names, without its address. */
    public PartitionOwner owner() {
        return owner;
    }
}
