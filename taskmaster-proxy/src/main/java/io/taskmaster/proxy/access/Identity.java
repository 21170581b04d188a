package io.taskmaster.proxy.access;

/**
 * The identity of a caller, as the audit log has it, and its role. Immutable.
 *
 * @param name from the access file; in parentheses for a caller that was not authenticated
 */
public record Identity(String name, Role role) {

    /** A caller without known credentials, or of an endpoint that requires none, on a server with access control. */
    public static final Identity UNKNOWN = new Identity("(nobody)", Role.NONE);

    /** Any caller of a server without access control. */
    static final Identity ANONYMOUS = new Identity("(anybody)", Role.FULL);

    /** Returns whether a name is from the access file, so that its caller was authenticated. */
    public static boolean isGiven(String name) {
        return !name.isEmpty() && name.charAt(0) != '(';
    }
}
