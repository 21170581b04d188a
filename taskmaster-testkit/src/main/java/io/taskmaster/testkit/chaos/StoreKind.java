package io.taskmaster.testkit.chaos;

import io.taskmaster.testkit.fault.FaultKind;
import io.taskmaster.testkit.fault.FaultKind.Part;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The stores that a run can be on. */
enum StoreKind {
    /** In the server's process, on this machine's disk. */
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

    /** A whole HBase of the run's own, which may be away for 20 s while it replaces a region server. */
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

    StoreKind(Duration maxWait) {
        this.maxWait = maxWait;
    }

    /**
     * The kind with this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static StoreKind of(String word) {
        return Arrays.stream(values())
                .filter(kind -> kind.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--store: %s (expected: %s%s)"
                        .formatted(
                                word,
                                Arrays.stream(values()).map(StoreKind::word).collect(Collectors.joining(" or ")),
                                word.equals("memory")
                                        ? "; in memory nothing survives a kill, so there is nothing to prove"
                                        : "")));
    }

    /** Its name on command lines. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** How long clients wait for an answer at most. */
    Duration maxWait() {
        return maxWait;
    }

    /** The kinds of faults that a run on it can have. */
    abstract Set<FaultKind> faults();

    /**
     * Starts what of it runs beside the server. Blocks until it takes work.
     *
     * @param folder for everything of it
     * @throws ChaosException if it does not
     */
    abstract ChaosStore start(Path folder) throws InterruptedException;
}
