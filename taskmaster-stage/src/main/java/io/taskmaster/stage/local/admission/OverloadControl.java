package io.taskmaster.stage.local.admission;

import static java.util.Objects.requireNonNull;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.control.ClassLimits;
import io.taskmaster.stage.control.ClassSample;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Admission control that limits the rate of each service class by how long its answers take ({@link ClassLimits}).
 * Thread-safe.
 *
 * <p>The thread that admits or answers an event when a new sample is due takes it; there is no thread of its own.
 */
final class OverloadControl implements AdmissionCheck {

    /** The least time between two samples. */
    private static final long INTERVAL_NANOS = Duration.ofMillis(100).toNanos();

    /** The time after which a sample is taken, however few answers there are. */
    private static final long MAX_INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

    /** The least number of answers of an earlier sample; fewer do not show what most of them take. */
    private static final long MIN_RESPONSES = 10;

    private static final long MAX_MICROS = TimeUnit.HOURS.toMicros(1);
    private static final int DIGITS = 2;
    private static final double SLOW = 90;
    private static final double NANOS_PER_SECOND = 1e9;

    /** The burst, as time: as many events as are let in during it may come at once. */
    private static final double BURST_SECONDS = 0.02;

    private final Map<ServiceClass, Door> classes = new EnumMap<>(ServiceClass.class);

    /** Held by the thread that takes a sample; others do not wait for it. */
    private final ReentrantLock sampling = new ReentrantLock();

    /** Written by the thread that holds {@link #sampling}. */
    private volatile ClassLimits limits;

    private volatile long sampledNanos;

    /** The number of answers since the latest sample. */
    private final LongAdder responseCount = new LongAdder();

    OverloadControl(ClassLimits limits, long nowNanos) {
        this.limits = limits;
        this.sampledNanos = nowNanos;
        for (ServiceClass serviceClass : ServiceClass.values()) {
            classes.put(serviceClass, new Door(new TokenBucket(rate(limits.perSecond(serviceClass)), nowNanos)));
        }
    }

    private static Rate rate(double perSecond) {
        return new Rate(perSecond, (int) Math.max(1, perSecond * BURST_SECONDS));
    }

    @Override
    public boolean admits(Candidate candidate) {
        Door classState = classState(candidate.serviceClass());
        classState.waiting.set(candidate.waiting());
        // Admissions look as well, since a stage that answers nothing needs its sample most.
        sampleIfDue(candidate.nowNanos());
        return classState.bucket.admits(candidate.asOne());
    }

    @Override
    public void answered(ServiceClass serviceClass, long nanos, long nowNanos) {
        Door classState = classState(serviceClass);
        classState.waiting.decrementAndGet();
        classState.responses.recordValue(Math.clamp(TimeUnit.NANOSECONDS.toMicros(nanos), 0, MAX_MICROS));
        responseCount.increment();
        sampleIfDue(nowNanos);
    }

    @Override
    public boolean needsResponseTimes() {
        return true;
    }

    @Override
    public Map<String, Double> limits(long nowNanos) {
        ClassLimits now = limits;
        return Arrays.stream(ServiceClass.values())
                .collect(Collectors.toMap(
                        serviceClass -> "rate." + serviceClass.name().toLowerCase(Locale.ROOT), now::perSecond));
    }

    private void sampleIfDue(long nowNanos) {
        if (isDue(nowNanos - sampledNanos) && sampling.tryLock()) {
            try {
                long spanNanos = nowNanos - sampledNanos;
                // Another thread may have taken the sample meanwhile.
                if (isDue(spanNanos)) {
                    // An answer that the reset loses delays the next sample a little; rates are computed from the
                    // histograms.
                    responseCount.reset();
                    sample(spanNanos, nowNanos);
                    sampledNanos = nowNanos;
                }
            } finally {
                sampling.unlock();
            }
        }
    }

    private boolean isDue(long spanNanos) {
        return spanNanos >= INTERVAL_NANOS && (spanNanos >= MAX_INTERVAL_NANOS || responseCount.sum() >= MIN_RESPONSES);
    }

    private void sample(long spanNanos, long nowNanos) {
        Map<ServiceClass, ClassSample> samples = new EnumMap<>(ServiceClass.class);
        classes.forEach((serviceClass, classState) -> samples.put(serviceClass, classState.sample(spanNanos)));
        ClassLimits next = limits.after(samples);
        limits = next;
        classes.forEach(
                (serviceClass, classState) -> classState.bucket.rate(rate(next.perSecond(serviceClass)), nowNanos));
    }

    private Door classState(ServiceClass serviceClass) {
        return requireNonNull(classes.get(serviceClass), "a door for every class");
    }

    /** The admission of one class: its rate, and the response times of its events. */
    private static final class Door {

        private final TokenBucket bucket;
        private final Recorder responses = new Recorder(MAX_MICROS, DIGITS);

        /** The length of the line as the latest event found it, less the events that were answered since. */
        private final AtomicLong waiting = new AtomicLong();

        private @Nullable Histogram recycled;

        Door(TokenBucket bucket) {
            this.bucket = bucket;
        }

        /** Takes a sample of the answers since the previous one. Not by two threads at once. */
        ClassSample sample(long spanNanos) {
            Histogram histogram = responses.getIntervalHistogram(recycled);
            recycled = histogram;
            double perSecond = histogram.getTotalCount() * NANOS_PER_SECOND / spanNanos;
            long slowMicros = histogram.getTotalCount() == 0 ? 0 : histogram.getValueAtPercentile(SLOW);
            long inLine = waiting.get();
            // Events in line have no response time yet, but the last of them will have at least this one. It is
            // infinite if nothing is answered.
            double lastNanos = inLine <= 0 ? 0 : (double) inLine / perSecond * NANOS_PER_SECOND;
            return new ClassSample(
                    perSecond, Math.max(TimeUnit.MICROSECONDS.toNanos(slowMicros), Math.round(lastNanos)));
        }
    }
}
