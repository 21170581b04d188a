package io.taskmaster.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.taskmaster.proxy.program.ExitStatus;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.server.config.BigtableConfig;
import io.taskmaster.server.config.CommitLogConfig;
import io.taskmaster.server.config.HBaseConfig;
import io.taskmaster.server.config.HistoryConfig;
import io.taskmaster.server.config.MemoryConfig;
import io.taskmaster.server.config.RocksDbConfig;
import io.taskmaster.server.config.ServerConfig;
import io.taskmaster.server.config.StoreConfig;
import io.taskmaster.server.config.StoreKind;
import io.taskmaster.server.engine.state.EngineSettings;
import io.taskmaster.server.partition.ClaimedStore;
import io.taskmaster.server.partition.Node;
import io.taskmaster.server.partition.PartitionNode;
import io.taskmaster.server.partition.StoreLayout;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.claim.Claim;
import io.taskmaster.server.partition.claim.ClaimSettings;
import io.taskmaster.server.partition.claim.ClaimThread;
import io.taskmaster.server.partition.claim.Claiming;
import io.taskmaster.server.partition.context.FlushSettings;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.log.ownership.DeposedException;
import io.taskmaster.server.partition.log.ownership.NotAdmittedException;
import io.taskmaster.server.partition.log.row.LogSettings;
import io.taskmaster.server.store.ReopeningStore;
import io.taskmaster.server.store.RetryUntilReady;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.StoreInUseException;
import io.taskmaster.server.store.StoreStuckException;
import io.taskmaster.server.store.UnknownLayoutException;
import io.taskmaster.server.store.hbase.HBaseStore;
import io.taskmaster.server.store.hbase.settings.BigtableSettings;
import io.taskmaster.server.store.hbase.settings.HBaseSettings;
import io.taskmaster.server.store.hbase.settings.StoreLimits;
import io.taskmaster.server.store.memory.MemoryStore;
import io.taskmaster.server.store.rocksdb.RocksDbFolder;
import io.taskmaster.server.store.rocksdb.RocksDbSettings;
import io.taskmaster.time.Clock;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletionException;

/** The construction of a node from its settings: the store, the loops, and all partitions on them. Stateless. */
public final class Nodes {

    /** The limit for closing a failed store. By then its operations have ended, or the disk hangs. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);

    private static final String HBASE_CLIENT = "org.apache.hadoop.hbase.client.Connection";
    private static final String HBASE_ARTIFACT = "org.apache.hbase:hbase-client";

    private Nodes() {}

    /** Opens a node with all its partitions. */
    public static NodeFactory factory() {
        return (config, meters) -> open(config, openStore(config.store()), meters);
    }

    /** Opens a node with all its partitions on a store. The node owns the store from now on. */
    public static Node open(ServerConfig config, Store store, MeterRegistry meters) throws StartException {
        return open(config, store, Clock.system(), meters);
    }

    /** Opens a node as above, with a given clock. */
    public static PartitionNode open(ServerConfig config, Store store, Clock clock, MeterRegistry meters)
            throws StartException {
        settle(store, config.store());
        PartitionNode node = new PartitionNode(
                new ClaimedStore(
                        store,
                        claim(store, config.store(), clock),
                        config.store().partitions()),
                Runtime.getRuntime().availableProcessors(),
                settings(config.memory(), config.log(), config.history()),
                budget(config.memory()),
                meters,
                clock,
                config.process().shutdownTimeout());
        try {
            node.open().join();
            return node;
        } catch (CompletionException failed) {
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            node.close();
            throw new StartException(statusOf(cause), "partitions: " + cause.getMessage(), cause);
        }
    }

    /** Claims the data. A local store is protected by the lock of its folder; a shared one, by a claim in it. */
    private static Claim claim(Store store, StoreConfig config, Clock clock) throws StartException {
        if (!config.kind().isShared()) {
            return Claim.alone("pid " + ProcessHandle.current().pid());
        }
        ClaimThread thread = new ClaimThread();
        ClaimSettings settings =
                ClaimSettings.of(config.owner().nodeId(), config.owner().takeOver());
        try {
            return new Claiming(store, thread, thread::close, settings, new SecureRandom(), clock::wallMillis)
                    .run()
                    .join();
        } catch (CompletionException failed) {
            thread.close();
            store.close();
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            throw new StartException(statusOf(cause), "data: " + cause.getMessage(), cause);
        }
    }

    private static void settle(Store store, StoreConfig config) throws StartException {
        try {
            RetryUntilReady.on(() -> StoreLayout.settle(store, config.partitions()), startTimeout(config.kind()))
                    .join();
        } catch (CompletionException failed) {
            store.close();
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            throw new StartException(statusOf(cause), String.valueOf(cause.getMessage()), cause);
        }
    }

    /**
     * Returns the time for which the start retries. A shared store may be temporarily unavailable; a local one that
     * fails goes on failing.
     */
    private static Duration startTimeout(StoreKind kind) {
        return kind.isShared() ? StoreLimits.HBASE.startTimeout() : Duration.ZERO;
    }

    /** Returns the exit status of a program whose node could not be opened, or lost its data, for this reason. */
    public static ExitStatus statusOf(Throwable cause) {
        return switch (cause) {
            case StoreStuckException _ -> ExitStatus.STORE_STUCK;
            case StoreInUseException _, DeposedException _, NotAdmittedException _, UnknownLayoutException _ ->
                ExitStatus.DATA_UNUSABLE;
            case StoreException store when store.outcome() == Outcome.CORRUPT -> ExitStatus.DATA_UNUSABLE;
            default -> ExitStatus.FAILURE;
        };
    }

    /** Opens the store of these settings. */
    public static Store openStore(StoreConfig config) throws StartException {
        try {
            return switch (config.kind()) {
                case MEMORY -> new MemoryStore();
                case ROCKSDB -> {
                    requireClient("org.rocksdb.RocksDB", "org.rocksdb:rocksdbjni");
                    yield rocksDb(config.rocksDb());
                }
                case HBASE -> {
                    requireClient(HBASE_CLIENT, HBASE_ARTIFACT);
                    yield HBaseStore.open(hbase(config));
                }
                case BIGTABLE -> {
                    requireClient(HBASE_CLIENT, HBASE_ARTIFACT);
                    yield HBaseStore.open(bigtable(config));
                }
            };
        } catch (StoreInUseException | UnknownLayoutException | StoreException failed) {
            throw new StartException(statusOf(failed), "data: " + failed.getMessage(), failed);
        }
    }

    /** Throws a {@link StartException} unless the client of a store is there: programs that embed a server bring it. */
    static void requireClient(String type, String artifact) throws StartException {
        try {
            Class.forName(type, false, Nodes.class.getClassLoader());
        } catch (ClassNotFoundException missing) {
            throw new StartException(
                    ExitStatus.USAGE,
                    "store: its client library is not on the class path (expected: " + artifact
                            + " next to taskmaster-server)",
                    missing);
        }
    }

    private static Store rocksDb(RocksDbConfig config) {
        RocksDbFolder folder = new RocksDbFolder(config.folder(), RocksDbSettings.DEFAULTS, config.reserveBytes());
        return new ReopeningStore(folder::open, folder::reopen, CLOSE_LIMIT);
    }

    private static HBaseSettings hbase(StoreConfig config) {
        HBaseConfig hbase = config.hbase();
        return new HBaseSettings(
                hbase.zookeeper(),
                hbase.site(),
                hbase.tablePrefix(),
                config.partitions(),
                Math.min(hbase.regions(), config.partitions()),
                hbase.durabilityLevel(),
                StoreLimits.HBASE);
    }

    private static BigtableSettings bigtable(StoreConfig config) {
        BigtableConfig bigtable = config.bigtable();
        return new BigtableSettings(
                bigtable.project(),
                bigtable.instance(),
                bigtable.appProfile(),
                bigtable.emulator(),
                config.hbase().tablePrefix(),
                config.partitions(),
                Math.min(config.hbase().regions(), config.partitions()),
                StoreLimits.BIGTABLE);
    }

    private static MemoryBudget budget(MemoryConfig config) {
        return new MemoryBudget(config.windowBytes(), config.dirtyBytes(), config.dedupBytes(), config.maxQueues());
    }

    private static PartitionSettings settings(MemoryConfig memory, CommitLogConfig log, HistoryConfig history) {
        PartitionSettings defaults = PartitionSettings.DEFAULTS;
        FlushSettings flush = defaults.flush();
        return new PartitionSettings(
                        new EngineSettings(
                                Math.min(EngineSettings.DEFAULTS.lowWaterTasks(), memory.refillMaxTasks()),
                                EngineSettings.DEFAULTS.minWindowTasks(),
                                memory.dedupWindow().toMillis(),
                                history.families()),
                        new LogSettings(
                                defaults.log().maxRowBytes(),
                                log.rowsInFlight(),
                                defaults.log().maxTries(),
                                defaults.log().scanBytes(),
                                defaults.log().uncleanEnds()),
                        new FlushSettings(
                                memory.flushInterval().toMillis(),
                                flush.dueBytes(),
                                flush.stagedBytes(),
                                flush.pieceBytes(),
                                flush.piecesInFlight()),
                        memory.refillMaxTasks(),
                        defaults.refillMaxBytes(),
                        defaults.indexRows(),
                        defaults.activationBytes(),
                        defaults.catchUpTimeoutMillis(),
                        defaults.admissionMillis(),
                        log.maxWait().toMillis(),
                        defaults.largeElements(),
                        defaults.retryDelayMillis())
                .within(memory.windowBytes(), memory.dirtyBytes());
    }
}
