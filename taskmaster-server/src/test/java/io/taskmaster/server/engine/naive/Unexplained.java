package io.taskmaster.server.engine.naive;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import org.jspecify.annotations.Nullable;

/**
 * A reply that the specification does not allow where it was given. It carries no stack trace: judges throw it in bulk.
 */
public final class Unexplained extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public Unexplained(String message) {
        super(message, null, false, false);
    }

    /** Throws unless an expectation holds. */
    @FormatMethod
    static void unless(boolean expected, @FormatString String message, @Nullable Object... args) {
        if (!expected) {
            throw new Unexplained(String.format(message, args));
        }
    }

    /** Returns the object; throws if it is null. */
    @FormatMethod
    static <T> T unlessPresent(@Nullable T found, @FormatString String message, @Nullable Object... args) {
        if (found == null) {
            throw new Unexplained(String.format(message, args));
        }
        return found;
    }
}
