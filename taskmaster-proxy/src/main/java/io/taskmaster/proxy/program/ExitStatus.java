package io.taskmaster.proxy.program;

/** The exit statuses of TaskMaster's programs. */
public enum ExitStatus {
    OK(0),
    /** Any failure without a status of its own. */
    FAILURE(1),
    /** Wrong arguments, or invalid settings. */
    USAGE(2),
    /** The data are in use by another process, of a layout that this version does not know, or corrupt. */
    DATA_UNUSABLE(3),
    /** The store failed and could not be closed, so only another process can open it. */
    STORE_STUCK(4),
    /** The heap of a server is full. */
    OUT_OF_MEMORY(5);

    private final int code;

    ExitStatus(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
