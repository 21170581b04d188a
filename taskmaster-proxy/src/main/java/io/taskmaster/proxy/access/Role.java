package io.taskmaster.proxy.access;

/** The role of a caller; each includes those before it. */
public enum Role {
    /** Access to endpoints that require no credentials. */
    NONE,
    /** Access to endpoints that change nothing. */
    READ,
    /** Access to every endpoint. */
    FULL;

    boolean covers(Role needed) {
        return compareTo(needed) >= 0;
    }
}
