package io.taskmaster.stage.local.admission;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** Admission control by {@link CoDel}. Lock-free; thread-safe. */
final class CoDelControl implements AdmissionCheck {

    private final AtomicReference<CoDel> state;

    CoDelControl(CoDel initial) {
        state = new AtomicReference<>(initial);
    }

    @Override
    public boolean admits(Candidate candidate) {
        for (; ; ) {
            CoDel now = state.get();
            // Nothing waits now, so a wait that was measured earlier says nothing of this event.
            if (candidate.takenCredits() == 0 || !now.refuses(candidate.nowNanos())) {
                return true;
            }
            if (state.compareAndSet(now, now.afterRefusal())) {
                return false;
            }
        }
    }

    @Override
    public void waited(long waitNanos, long nowNanos) {
        for (; ; ) {
            CoDel now = state.get();
            CoDel next = now.waited(waitNanos, nowNanos);
            if (next.equals(now) || state.compareAndSet(now, next)) {
                return;
            }
        }
    }

    @Override
    public boolean needsWaits() {
        return true;
    }

    @Override
    public Map<String, Double> limits(long nowNanos) {
        return Map.of("codel.refusals", state.get().refusalsPerSecond());
    }
}
