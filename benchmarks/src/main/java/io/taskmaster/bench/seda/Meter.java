package io.taskmaster.bench.seda;

import static java.util.Objects.requireNonNull;

import io.taskmaster.bench.load.Latencies;
import io.taskmaster.client.ServiceClass;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** A recorder of the response times of events. Thread-safe. */
final class Meter {

    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final int DIGITS = 3;

    private final Map<ServiceClass, Recorder> responses = new EnumMap<>(ServiceClass.class);

    Meter() {
        for (ServiceClass serviceClass : ServiceClass.values()) {
            responses.put(serviceClass, new Recorder(MAX_NANOS, DIGITS));
        }
    }

    void done(Event event) {
        long nanos = System.nanoTime() - event.bornNanos();
        requireNonNull(responses.get(event.serviceClass()), "of every class")
                .recordValue(Math.clamp(nanos, 1, MAX_NANOS));
    }

    /**
     * Returns the response times since the last call, each from the instant at which the event should have been
     * offered.
     */
    Map<ServiceClass, Latencies> take() {
        Map<ServiceClass, Latencies> latencies = new EnumMap<>(ServiceClass.class);
        responses.forEach((serviceClass, recorder) -> {
            Histogram histogram = recorder.getIntervalHistogram();
            latencies.put(serviceClass, Latencies.of(histogram));
        });
        return latencies;
    }
}
