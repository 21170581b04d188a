package io.taskmaster.harness.chaos;

import io.taskmaster.harness.fault.FaultKind;
import io.taskmaster.harness.fault.FaultKind.Part;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** A store that a run can use. */
enum ChaosStoreKind {
    /** RocksDB, in the server's process on this machine's disk. */
    ROCKSDB(Duration.ofSeconds(6)) {
        @Override
        Set<FaultKind> faults() {
            return FaultKind.ofParts(Part.SERVER, Part.NETWORK, Part.WORKERS, Part.MACHINE);
        }

        @Override
        ChaosStore start(Path folder) {
            return new RocksDb(folder);
        }
    },

    /** An HBase of the run's own, which may be unavailable for 20 s while it replaces a region server. */
    HBASE(Duration.ofSeconds(25)) {
        @Override
        Set<FaultKind> faults() {
            return FaultKind.ofParts(Part.SERVER, Part.NETWORK, Part.WORKERS, Part.STORE);
        }

        @Override
        ChaosStore start(Path folder) throws InterruptedException {
            return HBase.start(folder);
        }
    };

    private final Duration maxWait;

    ChaosStoreKind(Duration maxWait) {
        this.maxWait = maxWait;
    }

    /**
     * Returns the kind with this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static ChaosStoreKind of(String word) {
        return Arrays.stream(values())
                .filter(kind -> kind.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--store: %s (expected: %s%s)"
                        .formatted(
                                word,
                                Arrays.stream(values())
                                        .map(ChaosStoreKind::word)
                                        .collect(Collectors.joining(" or ")),
                                word.equals("memory") ? "; nothing in memory survives a kill" : "")));
    }

    /** Returns its name on command lines. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the longest deadline of clients' calls. */
    Duration maxWait() {
        return maxWait;
    }

    /** Returns the kinds of faults that a run on it can have. */
    abstract Set<FaultKind> faults();

    /**
     * Starts the processes that it has beside the server. Blocks until it takes work.
     *
     * @param folder the folder of the store
     * @throws ChaosException if it does not
     */
    abstract ChaosStore start(Path folder) throws InterruptedException;
}
