package io.taskmaster.tests;

/** The profile under which the tests run, for tests that do the same at two sizes. */
public final class Profile {

    static final String PROPERTY = "taskmaster.slow";

    private static final boolean SLOW = Boolean.getBoolean(PROPERTY);

    private Profile() {}

    /** Whether this is {@code mvn verify -Pslow}: full sizes, and figures are judged. */
    public static boolean isSlow() {
        return SLOW;
    }
}
