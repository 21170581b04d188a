package io.taskmaster.stage.local;

import io.taskmaster.stage.Admission.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Room in several stages for events that are to go to all of them or to none (the split-phase enqueue of SEDA section 3.3): claim, then commit. What is
 * not committed when it is closed is given back. Single-threaded: owned by whoever made it.
 */
public final class Reservation implements AutoCloseable {

    record Claim(Runnable commit, Runnable cancel) {}

    private final List<Claim> claims = new ArrayList<>();

    /**
     * Claims room for an event. A stage without a boundary has always room: it handles the event when it is committed.
     *
     * @return why there is none; then what was claimed before still is. Empty: it is claimed
     */
    public <E> Optional<Cause> claim(LocalStage<E> stage, E event) {
        return switch (stage) {
            case FusedStage<E> fused -> {
                claims.add(new Claim(() -> fused.offer(event), () -> {}));
                yield Optional.empty();
            }
            case BoundedStage<E> bounded -> Optional.ofNullable(bounded.reserve(event, claims));
        };
    }

    /** Puts all events where they go, in the order of the claims. */
    public void commit() {
        List<Claim> all = List.copyOf(claims);
        claims.clear();
        all.forEach(claim -> claim.commit().run());
    }

    /** Gives back what is not committed. Idempotent. */
    @Override
    public void close() {
        claims.forEach(claim -> claim.cancel().run());
        claims.clear();
    }
}
