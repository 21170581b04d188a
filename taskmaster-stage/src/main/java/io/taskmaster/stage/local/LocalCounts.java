package io.taskmaster.stage.local;

import static java.util.Objects.requireNonNull;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** Counters by cause. Thread-safe. */
final class LocalCounts<C extends Enum<C>> {

    private final Map<C, LongAdder> counts;

    LocalCounts(Class<C> causes) {
        counts = new EnumMap<>(causes);
        for (C cause : causes.getEnumConstants()) {
            counts.put(cause, new LongAdder());
        }
    }

    void increment(C cause) {
        requireNonNull(counts.get(cause), "of every cause").increment();
    }

    /** Returns the counts so far; every cause has one. */
    Map<C, Long> soFar() {
        return counts.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().sum()));
    }
}
