package io.taskmaster.stage.local;

import io.taskmaster.stage.Answerable;
import io.taskmaster.stage.Outcome;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a stage has dropped an event that it had taken. Immutable.
 *
 * @param text for people
 * @param thrown what a handler or a spill threw, if that was why
 */
public record Drop(Cause cause, String text, Optional<Throwable> thrown) {

    /** What happened. */
    public enum Cause {
        /** The handler threw. */
        FAILED,
        /** The handler did not want it. */
        UNWANTED,
        /** It made room for an event of a better class. */
        SHED,
        /** The durable queue did not get it. */
        NOT_SPILLED,
        /** The stage was removed, and the deadline was over before its turn came. */
        CLOSED,
        /** {@link Answerable#isCancelled Nobody waits} for it. */
        CANCELLED
    }

    static Drop of(Cause cause, @Nullable String text) {
        return new Drop(cause, Objects.requireNonNullElse(text, Outcome.NO_REASON), Optional.empty());
    }

    static Drop failed(Cause cause, Throwable thrown) {
        return new Drop(cause, text(thrown), Optional.of(thrown));
    }

    /** Even that may throw. */
    @SuppressWarnings("CatchingUnchecked") // Whatever it throws, the event is dropped all the same.
    private static String text(Throwable thrown) {
        try {
            return Objects.requireNonNullElse(thrown.toString(), Outcome.NO_REASON);
        } catch (Throwable silent) {
            return thrown.getClass().getName();
        }
    }
}
