package io.taskmaster.stage.local;

import io.taskmaster.stage.Admission.Cause;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * A reservation of credits in several stages for events that go to all of them or to none: the split-phase enqueue of
 * SEDA section 3.3. Claims that are not committed when it is closed are released. Single-threaded: owned by its
 * creator.
 */
public final class Reservation implements AutoCloseable {

    record Claim(Runnable commit, Runnable cancel) {}

    private final Queue<Claim> claims = new ArrayDeque<>();

    /**
     * Claims credits for an event. A stage without a boundary needs none: it handles the event in {@link #commit}.
     *
     * @return the cause of a refusal; claims made before it are kept. Empty: the credits are claimed
     */
    public <E> Optional<Cause> claim(LocalStage<E> stage, E event) {
        return switch (stage) {
            case FusedStage<E> fused -> Optional.ofNullable(fused.reserve(event, claims));
            case BoundedStage<E> bounded -> Optional.ofNullable(bounded.reserve(event, claims));
        };
    }

    /**
     * Hands all events to their stages, in the order of the claims; also to a stage that is being removed meanwhile.
     */
    public void commit() {
        // A claim leaves the queue before it is committed, so close() cannot return its credits as well.
        for (Claim claim = claims.poll(); claim != null; claim = claims.poll()) {
            claim.commit().run();
        }
    }

    /** Releases the claims that are not committed. Idempotent. */
    @Override
    public void close() {
        for (Claim claim = claims.poll(); claim != null; claim = claims.poll()) {
            claim.cancel().run();
        }
    }
}
