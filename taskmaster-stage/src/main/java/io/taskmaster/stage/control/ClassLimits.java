package io.taskmaster.stage.control;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * Rates at which a stage admits its service classes, so that nine in ten events are answered within the target of their
 * class. Pure; immutable.
 *
 * <p>A class that is about to be late is admitted at less than the rate at which it is answered, in proportion to its
 * lateness, so that its line gets shorter. When a class is late, the classes after it are halved. A class that is in
 * time gets more: twice as much up to half of the rate at which it was last late, 5 % from there on.
 *
 * @param targets response times; a class without one is limited only for the sake of those before it
 */
public record ClassLimits(Map<ServiceClass, Duration> targets, Map<ServiceClass, Limit> limits) {

    /** A rate that no stage reaches. */
    public static final double NO_LIMIT = 1e9;

    /** The rate that is always admitted, so that a stage that has become fast again is noticed. */
    private static final double MIN_PER_SECOND = 1;

    /** The share of the target that is aimed at: events that are admitted now are answered a little later. */
    private static final double TARGET_FACTOR = 0.7;

    private static final double MIN_FACTOR = 0.1;
    private static final double SHARED_CUT_FACTOR = 0.5;
    private static final double INCREASE = 1.05;
    private static final double FAST_INCREASE = 2;

    /** The share of the rate that was too much up to which a rate rises fast. */
    private static final double SAFE_SHARE = 0.5;

    /**
     * The limit of one class. Immutable.
     *
     * @param perSecond the rate at which events are admitted
     * @param knee the rate of answers when the class was late last
     */
    public record Limit(double perSecond, double knee) {

        static final Limit NONE = new Limit(NO_LIMIT, NO_LIMIT);

        private Limit after(ClassSample sample, double lateness, boolean isBetterLate) {
            double next;
            if (lateness > 1) {
                next = sample.perSecond() * Math.max(MIN_FACTOR, 1 / lateness);
            } else if (isBetterLate) {
                next = perSecond;
            } else {
                next = perSecond * (perSecond < SAFE_SHARE * knee ? FAST_INCREASE : INCREASE);
            }
            if (isBetterLate) {
                // A class that has a limit may come in batches, so one moment without answers says little.
                boolean isMeasured = sample.perSecond() > 0 || perSecond == NO_LIMIT;
                double now = isMeasured ? Math.min(perSecond, sample.perSecond()) : perSecond;
                next = Math.min(next, now * SHARED_CUT_FACTOR);
            }
            boolean isKnown = lateness > 1 && sample.perSecond() > 0;
            return new Limit(Math.clamp(next, MIN_PER_SECOND, NO_LIMIT), isKnown ? sample.perSecond() : knee);
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

    /** The rate at which events of a class are admitted, per second. */
    public double perSecond(ServiceClass serviceClass) {
        return limit(serviceClass).perSecond();
    }

    private Limit limit(ServiceClass serviceClass) {
        return limits.getOrDefault(serviceClass, Limit.NONE);
    }

    /** Returns the limits after an interval; a class without a sample was not answered. */
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

    /** The response time in proportion to what is aimed at; above 1, the class is late or is going to be. */
    private double lateness(ServiceClass serviceClass, ClassSample sample) {
        Duration target = targets.get(serviceClass);
        return target == null ? 0 : sample.slowNanos() / (TARGET_FACTOR * Deadlines.nanos(target));
    }
}
