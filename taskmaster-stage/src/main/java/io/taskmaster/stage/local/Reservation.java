package io.taskmaster.stage.local;

import io.taskmaster.stage.Admission.Cause;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * Room in several stages for events that are to go to all of them or to none (the split-phase enqueue of SEDA section 3.3): claim, then commit. What is
 * not committed when it is closed is given back. Single-threaded: owned by whoever made it.
 */
public final class Reservation implements AutoCloseable {

    record Claim(Runnable commit, Runnable cancel) {}

    private final Queue<Claim> claims = new ArrayDeque<>();

    /**
     * Claims room for an event. A stage without a boundary has always room: it handles the event when it is committed.
     *
     * @return why there is none; then what was claimed before still is. Empty: it is claimed
     */
    public <E> Optional<Cause> claim(LocalStage<E> stage, E event) {
        return switch (stage) {
            case FusedStage<E> fused -> Optional.ofNullable(fused.reserve(event, claims));
            case BoundedStage<E> bounded -> Optional.ofNullable(bounded.reserve(event, claims));
        };
    }

    /** Puts all events where they go, in the order of the claims; also where a stage is being removed meanwhile. */
    public void commit() {
        for (Claim claim = claims.poll(); claim != null; claim = claims.poll()) {
            claim.commit().run();
        }
    }

    /** Gives back what is not committed. Idempotent. */
    @Override
    public void close() {
        for (Claim claim = claims.poll(); claim != null; claim = claims.poll()) {
            claim.cancel().run();
        }
    }
}
