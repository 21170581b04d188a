package io.taskmaster.stage.local.admission;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.control.ClassLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A rule for the events that a stage admits while there are credits enough (SEDA section 4.3); {@link #begin} makes the
 * state of one stage. Immutable.
 */
public interface AdmissionRule {

    /** Makes the state of the rule for one stage. */
    AdmissionCheck begin(long nowNanos);

    /**
     * Admits events while no more than a share of the capacity is taken, the event included; and one event in any case
     * (SEDA section 4.3).
     */
    static AdmissionRule threshold(double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("share: %s (expected: above 0, and 1 at most)".formatted(share));
        }
        return nowNanos -> candidate -> candidate.takenCredits() == 0
                || candidate.takenCredits() + candidate.cost() <= share * candidate.capacity();
    }

    /**
     * Admits events at a rate of credits; an event that passes is counted even if there are no credits of the queue for
     * it. Its limits: {@code rate}, {@code burst}, and {@code tokens}, the credits that may come at once now; below 1:
     * none.
     */
    static AdmissionRule tokenBucket(Rate rate) {
        return nowNanos -> new TokenBucket(rate, nowNanos);
    }

    /**
     * Admits events while waits are short: once the shortest wait of an interval was above the target, events are
     * refused, ever more often until it is below (CoDel, RFC 8289, with waits measured at the head of the queue and
     * refusals at its tail). Its limit: {@code codel.refusals}, refusals per second; 0: it refuses none.
     *
     * @param target the longest wait that is well; 20 ms is a good one for requests
     * @param interval several times the target
     */
    static AdmissionRule codel(Duration target, Duration interval) {
        CoDel.requirePositive(target, interval);
        return nowNanos -> new CoDelControl(CoDel.of(target, interval));
    }

    /**
     * Admits events as fast as they are answered in time, by class: nine in ten within the target of their class, from
     * the line to the end of the handler (SEDA, adaptive overload control; {@link ClassLimits}). When
     * {@code INTERACTIVE} events are late, {@code BULK} ones are refused first. Its limits: {@code rate.interactive}
     * and {@code rate.bulk}, events per second; {@link ClassLimits#NO_LIMIT}: as many as come.
     *
     * @param targets response times; a class without one only yields to those before it
     */
    static AdmissionRule responseTimes(Map<ServiceClass, Duration> targets) {
        ClassLimits limits = ClassLimits.of(targets);
        return nowNanos -> new OverloadControl(limits, nowNanos);
    }

    /** Admits events that all of these rules admit; rules after the first that refuses are not called. */
    static AdmissionRule all(AdmissionRule... rules) {
        List<AdmissionRule> each = List.of(rules);
        return nowNanos -> AdmissionCheck.all(
                each.stream().map(rule -> rule.begin(nowNanos)).toList());
    }
}
