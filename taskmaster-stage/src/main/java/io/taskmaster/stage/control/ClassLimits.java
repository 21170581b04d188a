package io.taskmaster.stage.control;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * At which rates a stage lets the classes of events in, so that nine in ten are answered within the target of their class. A class that is about to be
 * late is let in more slowly than it is answered, by as much as it is late, so that the line gets shorter; when a class is late, those after it are
 * cut to half. Whoever is in time gets more: twice as much up to half of where it was late last, and a little from there on. Pure; immutable.
 *
 * @param targets response times; a class without one is limited for the sake of those before it only
 */
public record ClassLimits(Map<ServiceClass, Duration> targets, Map<ServiceClass, Limit> limits) {

    /** More than a stage can do. */
    public static final double NO_LIMIT = 1e9;

    /** So few are let in always, or nobody would learn that the stage is fast again. */
    private static final double LEAST = 1;

    /** What is aimed at, as a share of the target: what is let in now is answered a little later. */
    private static final double AIM = 0.7;

    private static final double DEEPEST_CUT = 0.1;
    private static final double CUT_FOR_OTHERS = 0.5;
    private static final double RISES = 1.05;
    private static final double RISES_FAST = 2;

    /** It rises fast up to that share of what was too much. */
    private static final double SAFE = 0.5;

    /**
     * Of one class. Immutable.
     *
     * @param knee how many were answered in a second when it was late last
     */
    public record Limit(double perSecond, double knee) {

        static final Limit NONE = new Limit(NO_LIMIT, NO_LIMIT);

        private Limit after(ClassSample sample, double lateness, boolean isBetterLate) {
            double next;
            if (lateness > 1) {
                next = sample.perSecond() * Math.max(DEEPEST_CUT, 1 / lateness);
            } else if (isBetterLate) {
                next = perSecond;
            } else {
                next = perSecond * (perSecond < SAFE * knee ? RISES_FAST : RISES);
            }
            if (isBetterLate) {
                // A class that has a limit may come in batches: one moment without answers says little.
                boolean isTold = sample.perSecond() > 0 || perSecond == NO_LIMIT;
                double now = isTold ? Math.min(perSecond, sample.perSecond()) : perSecond;
                next = Math.min(next, now * CUT_FOR_OTHERS);
            }
            boolean isKnown = lateness > 1 && sample.perSecond() > 0;
            return new Limit(Math.clamp(next, LEAST, NO_LIMIT), isKnown ? sample.perSecond() : knee);
        }
    }

    public ClassLimits {
        if (targets.isEmpty() || !targets.values().stream().allMatch(Duration::isPositive)) {
            throw new IllegalArgumentException("targets: %s (expected: one or more, above 0)".formatted(targets));
        }
        targets = Map.copyOf(targets);
        limits = Map.copyOf(limits);
    }

    public static ClassLimits of(Map<ServiceClass, Duration> targets) {
        return new ClassLimits(targets, Map.of());
    }

    /** How many of a class are let in, in a second. */
    public double perSecond(ServiceClass serviceClass) {
        return limit(serviceClass).perSecond();
    }

    private Limit limit(ServiceClass serviceClass) {
        return limits.getOrDefault(serviceClass, Limit.NONE);
    }

    /** The limits after an interval; a class of which nothing is said was not answered. */
    public ClassLimits after(Map<ServiceClass, ClassSample> samples) {
        Map<ServiceClass, Limit> next = new EnumMap<>(ServiceClass.class);
        boolean isBetterLate = false;
        for (ServiceClass serviceClass : ServiceClass.values()) {
            ClassSample sample = samples.getOrDefault(serviceClass, ClassSample.NONE);
            double lateness = lateness(serviceClass, sample);
            next.put(serviceClass, limit(serviceClass).after(sample, lateness, isBetterLate));
            isBetterLate |= lateness > 1;
        }
        return new ClassLimits(targets, next);
    }

    /** Above 1: it is late, or is going to be. */
    private double lateness(ServiceClass serviceClass, ClassSample sample) {
        Duration target = targets.get(serviceClass);
        return target == null ? 0 : sample.slowNanos() / (AIM * Deadlines.nanos(target));
    }
}
