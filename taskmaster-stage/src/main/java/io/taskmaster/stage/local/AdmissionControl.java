package io.taskmaster.stage.local;

import java.util.List;

/** Decides at the gate of one stage. Thread-safe; does not block. */
@FunctionalInterface
public interface AdmissionControl {

    /** Whether to let an event in, for which there is room. */
    boolean admits(Candidate candidate);

    /** An event has waited so long in the queue. Told of each, if {@link #wantsWaits}. */
    default void waited(long waitNanos, long nowNanos) {}

    /** Whether waits are measured, which costs two more looks at the clock for each event. Asked once. */
    default boolean wantsWaits() {
        return false;
    }

    static AdmissionControl all(List<AdmissionControl> controls) {
        boolean wantsWaits = controls.stream().anyMatch(AdmissionControl::wantsWaits);
        return new AdmissionControl() {
            @Override
            public boolean admits(Candidate candidate) {
                for (AdmissionControl control : controls) {
                    if (!control.admits(candidate)) {
                        return false;
                    }
                }
                return true;
            }

            @Override
            public void waited(long waitNanos, long nowNanos) {
                controls.forEach(control -> control.waited(waitNanos, nowNanos));
            }

            @Override
            public boolean wantsWaits() {
                return wantsWaits;
            }
        };
    }
}
