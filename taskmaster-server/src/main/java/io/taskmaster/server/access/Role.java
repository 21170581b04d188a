package io.taskmaster.server.access;

/** What somebody may do; each includes those before it. */
public enum Role {
    /** What needs no name. */
    NONE,
    /** Whatever changes nothing. */
    READ,
    /** Everything. */
    FULL;

    boolean covers(Role needed) {
        return compareTo(needed) >= 0;
    }
}
