package io.taskmaster.server.access;

/**
 * Who asks, as the log of administrative actions says it, and what they may do. Immutable.
 *
 * @param name given by whoever wrote the access file, letters and digits; in parentheses if nobody gave one
 */
public record Identity(String name, Role role) {

    /** Somebody who has not said who they are, where that counts. */
    public static final Identity NOBODY = new Identity("(nobody)", Role.NONE);

    /** Somebody on a server without access control. */
    static final Identity ANYBODY = new Identity("(anybody)", Role.FULL);

    /** Whether somebody who is called so has shown who they are. */
    public static boolean isGiven(String name) {
        return !name.isEmpty() && name.charAt(0) != '(';
    }
}
