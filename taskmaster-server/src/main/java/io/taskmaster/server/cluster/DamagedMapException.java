package io.taskmaster.server.cluster;

/**
 * The error of a map that cannot be read: its head names a body that is missing, or that does not match. The bodies of
 * a head in force are never deleted, so no version of TaskMaster leaves such a map behind. Nodes go on with the map
 * that they have. Immutable.
 */
public final class DamagedMapException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DamagedMapException(String message) {
        super(message);
    }
}
