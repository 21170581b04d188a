package io.taskmaster.harness.chaos;

import io.taskmaster.harness.fault.FaultKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The settings of a run. Immutable.
 *
 * @param length the time during which there are faults
 * @param seed the seed of the faults and of the workers' choices
 * @param store the store of the server
 * @param faults the kinds of faults
 * @param tokens the number of tokens
 * @param queues the number of queues in each ring
 * @param workers the number of worker processes
 * @param folder the folder for everything that the run leaves behind; empty, or not there yet
 * @param patch classes that the server loads before its own: a planted bug
 */
record ChaosSettings(
        Duration length,
        long seed,
        ChaosStoreKind store,
        Set<FaultKind> faults,
        int tokens,
        int queues,
        int workers,
        Path folder,
        Optional<Path> patch) {

    ChaosSettings {
        faults = Set.copyOf(faults);
        requireAtLeast("tokens", tokens, 1);
        requireAtLeast("queues", queues, 2);
        requireAtLeast("workers", workers, 1);
        for (FaultKind kind : faults) {
            requireSuffered(kind, store);
        }
        if (!length.isPositive()) {
            throw new IllegalArgumentException("minutes: %s (expected: more than 0)".formatted(length));
        }
    }

    /**
     * Returns settings for RocksDB, with all kinds of faults that it can have, and a load that leaves two cores time to
     * recover.
     */
    static ChaosSettings of(Duration length, long seed, Path folder) {
        ChaosStoreKind store = ChaosStoreKind.ROCKSDB;
        return new ChaosSettings(length, seed, store, store.faults(), 300, 5, 3, folder, Optional.empty());
    }

    /** Returns these settings with classes that the server loads before its own. */
    ChaosSettings withPatch(Path classes) {
        return new ChaosSettings(length, seed, store, faults, tokens, queues, workers, folder, Optional.of(classes));
    }

    private static void requireSuffered(FaultKind kind, ChaosStoreKind store) {
        if (!store.faults().contains(kind)) {
            throw new IllegalArgumentException("fault: %s (expected: a kind that --store %s has: %s)"
                    .formatted(
                            kind.word(),
                            store.word(),
                            store.faults().stream()
                                    .sorted()
                                    .map(FaultKind::word)
                                    .collect(Collectors.joining(", "))));
        }
    }

    private static void requireAtLeast(String name, int value, int min) {
        if (value < min) {
            throw new IllegalArgumentException("%s: %d (expected: at least %d)".formatted(name, value, min));
        }
    }
}
