package io.taskmaster.tests;

/** The profile under which the tests run, for tests that do the same at two sizes. */
public final class Profile {

    static final String PROPERTY = "taskmaster.slow";

    private static final boolean SLOW = Boolean.getBoolean(PROPERTY);

    private Profile() {}

    /** Returns whether this is {@code mvn verify -Pslow}: tests run at full size, and their figures are judged. */
    public static boolean isSlow() {
        return SLOW;
    }
}
