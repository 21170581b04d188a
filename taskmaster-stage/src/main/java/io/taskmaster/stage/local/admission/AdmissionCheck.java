package io.taskmaster.stage.local.admission;

import io.taskmaster.client.ServiceClass;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Admission control of one stage: the state of an {@link AdmissionRule}. Thread-safe; does not block. */
@FunctionalInterface
public interface AdmissionCheck {

    /** Returns whether an event is let in for which there are credits enough, as far as the caller knows. */
    boolean admits(Candidate candidate);

    /** Receives how long an event has waited in the queue; called for each event if {@link #needsWaits}. */
    default void waited(long waitNanos, long nowNanos) {}

    /** Returns whether waits are measured, which costs two more reads of the clock for each event. Called once. */
    default boolean needsWaits() {
        return false;
    }

    /**
     * Receives the response time of an event, from the line to the end of the handler; called for each event but
     * control events, if {@link #needsResponseTimes}.
     */
    default void answered(ServiceClass serviceClass, long nanos, long nowNanos) {}

    /**
     * Returns whether response times are measured, which costs three more reads of the clock for each event. Called
     * once.
     */
    default boolean needsResponseTimes() {
        return false;
    }

    /**
     * Returns the current limits, for display: some numbers, always under the same names. Called for every status of
     * the stage.
     */
    default Map<String, Double> limits(long nowNanos) {
        return Map.of();
    }

    /** Combines several into one; a limit with a name that another one has already gets a number: {@code rate.2}. */
    static AdmissionCheck all(List<AdmissionCheck> controls) {
        boolean needsWaits = controls.stream().anyMatch(AdmissionCheck::needsWaits);
        boolean needsResponseTimes = controls.stream().anyMatch(AdmissionCheck::needsResponseTimes);
        return new AdmissionCheck() {
            @Override
            public boolean admits(Candidate candidate) {
                for (AdmissionCheck control : controls) {
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
            public boolean needsWaits() {
                return needsWaits;
            }

            @Override
            public void answered(ServiceClass serviceClass, long nanos, long nowNanos) {
                controls.forEach(control -> control.answered(serviceClass, nanos, nowNanos));
            }

            @Override
            public boolean needsResponseTimes() {
                return needsResponseTimes;
            }

            @Override
            public Map<String, Double> limits(long nowNanos) {
                Map<String, Double> limits = new LinkedHashMap<>();
                controls.forEach(control ->
                        control.limits(nowNanos).forEach((name, value) -> limits.put(freeName(limits, name), value)));
                return limits;
            }
        };
    }

    private static String freeName(Map<String, Double> taken, String name) {
        String free = name;
        for (int i = 2; taken.containsKey(free); i++) {
            free = name + "." + i;
        }
        return free;
    }
}
