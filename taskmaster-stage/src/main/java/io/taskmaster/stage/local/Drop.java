package io.taskmaster.stage.local;

import io.taskmaster.stage.Answerable;
import io.taskmaster.stage.Outcome;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The reason for which a stage dropped an event that it had taken. Immutable.
 *
 * @param text a message for display
 * @param thrown the exception of a handler or a spill, if that was the reason
 */
public record Drop(Cause cause, String text, Optional<Throwable> thrown) {

    /** The cause of a drop. */
    public enum Cause {
        /** The handler threw. */
        FAILED,
        /** The handler dropped it. */
        UNWANTED,
        /** It was shed for an event of a better class. */
        SHED,
        /** The spill of it failed. */
        NOT_SPILLED,
        /** The stage was removed, and its deadline passed before the event was handled. */
        CLOSED,
        /** Its waiter has {@linkplain Answerable#isCancelled cancelled} it. */
        CANCELLED
    }

    static Drop of(Cause cause, @Nullable String text) {
        return new Drop(cause, Objects.requireNonNullElse(text, Outcome.NO_REASON), Optional.empty());
    }

    static Drop failed(Cause cause, Throwable thrown) {
        return new Drop(cause, text(thrown), Optional.of(thrown));
    }

    /** Returns a text even if the exception's {@code toString} throws. */
    @SuppressWarnings("CatchingUnchecked") // The event is dropped in any case.
    private static String text(Throwable thrown) {
        try {
            return Objects.requireNonNullElse(thrown.toString(), Outcome.NO_REASON);
        } catch (Throwable silent) {
            return thrown.getClass().getName();
        }
    }
}
