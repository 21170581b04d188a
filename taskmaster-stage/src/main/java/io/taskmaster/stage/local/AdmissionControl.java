package io.taskmaster.stage.local;

import io.taskmaster.client.ServiceClass;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

    /** An event was handled, so long after it got in line. Told of each but control events, if {@link #wantsAnswers}. */
    default void answered(ServiceClass serviceClass, long nanos, long nowNanos) {}

    /** Whether response times are measured, which costs three more looks at the clock for each event. Asked once. */
    default boolean wantsAnswers() {
        return false;
    }

    /** What it lets in at present, for people: some numbers, always under the same names. Asked whenever somebody looks at the stage. */
    default Map<String, Double> limits(long nowNanos) {
        return Map.of();
    }

    /** All of them; a limit whose name another one has already gets a number: {@code rate.2}. */
    static AdmissionControl all(List<AdmissionControl> controls) {
        boolean wantsWaits = controls.stream().anyMatch(AdmissionControl::wantsWaits);
        boolean wantsAnswers = controls.stream().anyMatch(AdmissionControl::wantsAnswers);
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

            @Override
            public void answered(ServiceClass serviceClass, long nanos, long nowNanos) {
                controls.forEach(control -> control.answered(serviceClass, nanos, nowNanos));
            }

            @Override
            public boolean wantsAnswers() {
                return wantsAnswers;
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
