package io.taskmaster.server.partition.context;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The meters {@code taskmaster.admission.refused}, requests that waited too long for admission, and
 * {@code taskmaster.admission.refused.by.caller}, the same by caller. Only the callers that were refused last have a
 * series: a further caller replaces the one whose last refusal is oldest. Thread-safe.
 */
public final class RefusalCounters {

    /** The number of callers with a series; see docs/limits.md. */
    public static final int MAX_CALLERS = 32;

    private final MeterRegistry registry;
    private final Counter all;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Counter> byCaller = new LinkedHashMap<>(2 * MAX_CALLERS, 0.75f, true);

    RefusalCounters(MeterRegistry registry) {
        this.registry = registry;
        this.all = Counter.builder("taskmaster.admission.refused")
                .description("Requests rejected because they waited too long for admission")
                .register(registry);
    }

    void refused(String caller) {
        all.increment();
        lock.lock();
        try {
            Counter own = byCaller.get(caller);
            if (own == null) {
                if (byCaller.size() == MAX_CALLERS) {
                    Map.Entry<String, Counter> oldest =
                            byCaller.entrySet().iterator().next();
                    byCaller.remove(oldest.getKey());
                    registry.remove(oldest.getValue());
                }
                own = counter(caller.isEmpty() ? "unknown" : caller);
                byCaller.put(caller, own);
            }
            own.increment();
        } finally {
            lock.unlock();
        }
    }

    private Counter counter(String caller) {
        return Counter.builder("taskmaster.admission.refused.by.caller")
                .description(
                        "Requests rejected because they waited too long for admission, for the callers that were rejected last")
                .tag("caller", caller)
                .register(registry);
    }
}
