package io.taskmaster.stage.local;

import static java.util.Objects.requireNonNull;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.control.ClassLimits;
import io.taskmaster.stage.control.ClassSample;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** Lets the classes of events in at rates that follow how long their answers take ({@link ClassLimits}). Thread-safe. */
final class OverloadControl implements AdmissionControl {

    /** Between two looks at what was answered. */
    private static final long INTERVAL_NANOS = Duration.ofMillis(100).toNanos();

    private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(1);
    private static final int DIGITS = 2;
    private static final double SLOW = 90;
    private static final double NANOS_PER_SECOND = 1e9;

    /** As many as are let in during that time may come at once. */
    private static final double BURST_SECONDS = 0.02;

    private final Map<ServiceClass, Door> doors = new EnumMap<>(ServiceClass.class);

    /** Held by the one who looks; the others do not wait for it. */
    private final ReentrantLock looking = new ReentrantLock();

    /** Changed by who is looking. */
    private volatile ClassLimits limits;

    private volatile long lookedNanos;

    /** As an event found the stage that came a moment ago. */
    private volatile long waiting;

    /** The last class of which an event came: whatever waits goes before its events. */
    private volatile ServiceClass last = ServiceClass.INTERACTIVE;

    OverloadControl(ClassLimits limits, long nowNanos) {
        this.limits = limits;
        this.lookedNanos = nowNanos;
        for (ServiceClass serviceClass : ServiceClass.values()) {
            doors.put(serviceClass, new Door(new TokenBucket(rate(limits.perSecond(serviceClass)), nowNanos)));
        }
    }

    private static Rate rate(double perSecond) {
        return new Rate(perSecond, (int) Math.max(1, perSecond * BURST_SECONDS));
    }

    @Override
    public boolean admits(Candidate candidate) {
        waiting = candidate.takenCredits();
        if (candidate.serviceClass().compareTo(last) > 0) {
            last = candidate.serviceClass();
        }
        lookInTime(candidate.nowNanos());
        return door(candidate.serviceClass()).bucket.admits(candidate);
    }

    @Override
    public void answered(ServiceClass serviceClass, long nanos, long nowNanos) {
        long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
        door(serviceClass).answers.recordValue(Math.clamp(micros, 0, LONGEST_MICROS));
        lookInTime(nowNanos);
    }

    @Override
    public boolean wantsAnswers() {
        return true;
    }

    private void lookInTime(long nowNanos) {
        if (nowNanos - lookedNanos >= INTERVAL_NANOS && looking.tryLock()) {
            try {
                long spanNanos = nowNanos - lookedNanos;
                if (spanNanos >= INTERVAL_NANOS) {
                    look(spanNanos);
                    lookedNanos = nowNanos;
                }
            } finally {
                looking.unlock();
            }
        }
    }

    private void look(long spanNanos) {
        Map<ServiceClass, ClassSample> samples = new EnumMap<>(ServiceClass.class);
        doors.forEach((serviceClass, door) -> samples.put(serviceClass, door.sample(spanNanos)));
        samples.computeIfPresent(last, (_, sample) -> foreseen(sample, samples.values()));
        ClassLimits next = limits.after(samples);
        limits = next;
        doors.forEach((serviceClass, door) -> door.bucket.rate(rate(next.perSecond(serviceClass))));
    }

    /** What waits now is not answered yet, but it is known how long that takes. */
    private ClassSample foreseen(ClassSample sample, Collection<ClassSample> all) {
        double perSecond = all.stream().mapToDouble(ClassSample::perSecond).sum();
        double waitNanos = perSecond == 0 ? 0 : waiting / perSecond * NANOS_PER_SECOND;
        return new ClassSample(sample.perSecond(), Math.max(sample.slowNanos(), Math.round(waitNanos)));
    }

    private Door door(ServiceClass serviceClass) {
        return requireNonNull(doors.get(serviceClass), "a door for every class");
    }

    /** Where the events of one class come in, and how long those took that were answered. */
    private static final class Door {

        private final TokenBucket bucket;
        private final Recorder answers = new Recorder(LONGEST_MICROS, DIGITS);
        private @Nullable Histogram recycled;

        Door(TokenBucket bucket) {
            this.bucket = bucket;
        }

        /** What was answered since the last. Not by two threads at once. */
        ClassSample sample(long spanNanos) {
            Histogram seen = answers.getIntervalHistogram(recycled);
            recycled = seen;
            long count = seen.getTotalCount();
            return count == 0
                    ? ClassSample.NONE
                    : new ClassSample(
                            count * NANOS_PER_SECOND / spanNanos,
                            TimeUnit.MICROSECONDS.toNanos(seen.getValueAtPercentile(SLOW)));
        }
    }
}
