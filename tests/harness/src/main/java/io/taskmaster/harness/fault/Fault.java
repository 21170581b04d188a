package io.taskmaster.harness.fault;

import io.taskmaster.harness.relay.ByteFlow;
import java.time.Duration;
import java.util.Set;

/** A fault that lasts for a while. Immutable. */
public sealed interface Fault {

    FaultKind kind();

    /** A fault of {@link FaultKind.Part#SERVER}. */
    sealed interface OfServer extends Fault {}

    /** A fault of {@link FaultKind.Part#NETWORK}. */
    sealed interface OfNetwork extends Fault {}

    /** A fault of {@link FaultKind.Part#WORKERS}. */
    sealed interface OfWorkers extends Fault {}

    /** A fault of {@link FaultKind.Part#STORE}. */
    sealed interface OfStore extends Fault {}

    /** A fault of {@link FaultKind.Part#MACHINE}. */
    sealed interface OfMachine extends Fault {}

    /** A crash of the server. */
    record Kill() implements OfServer {
        @Override
        public FaultKind kind() {
            return FaultKind.KILL;
        }
    }

    /** A freeze of the server. */
    record Stop() implements OfServer {
        @Override
        public FaultKind kind() {
            return FaultKind.STOP;
        }
    }

    /** A restart of the server, with a rundown. */
    record Restart() implements OfServer {
        @Override
        public FaultKind kind() {
            return FaultKind.RESTART;
        }
    }

    /** A network that is down. */
    record Disconnect() implements OfNetwork {
        @Override
        public FaultKind kind() {
            return FaultKind.DISCONNECT;
        }
    }

    /**
     * A network that delivers nothing, but keeps its connections.
     *
     * @param flows the directions
     */
    record Stall(Set<ByteFlow> flows) implements OfNetwork {
        public Stall {
            flows = Set.copyOf(flows);
        }

        @Override
        public FaultKind kind() {
            return FaultKind.STALL;
        }
    }

    /**
     * A slow network.
     *
     * @param delay the additional delay in each direction
     */
    record Slow(Duration delay) implements OfNetwork {
        @Override
        public FaultKind kind() {
            return FaultKind.SLOW;
        }
    }

    /**
     * A crash of a worker.
     *
     * @param choice the number of the worker, modulo the number of workers
     */
    record KillWorker(int choice) implements OfWorkers {
        @Override
        public FaultKind kind() {
            return FaultKind.KILL_WORKER;
        }
    }

    /**
     * A freeze of a worker. When it goes on, other workers may have leased its tasks.
     *
     * @param choice the number of the worker, modulo the number of workers
     */
    record StopWorker(int choice) implements OfWorkers {
        @Override
        public FaultKind kind() {
            return FaultKind.STOP_WORKER;
        }
    }

    /**
     * A crash of a region server of the store: its regions are unavailable until the store has noticed, and opened them
     * elsewhere.
     */
    record KillRegionServer() implements OfStore {
        @Override
        public FaultKind kind() {
            return FaultKind.KILL_REGION_SERVER;
        }
    }

    /** A freeze of a region server of the store. When it goes on, it may have been replaced. */
    record StopRegionServer() implements OfStore {
        @Override
        public FaultKind kind() {
            return FaultKind.STOP_REGION_SERVER;
        }
    }

    /** A crash of a data node of the store: nothing can be written or synced. */
    record KillDataNode() implements OfStore {
        @Override
        public FaultKind kind() {
            return FaultKind.KILL_DATA_NODE;
        }
    }

    /** A freeze of a data node of the store: writes hang. */
    record StopDataNode() implements OfStore {
        @Override
        public FaultKind kind() {
            return FaultKind.STOP_DATA_NODE;
        }
    }

    /**
     * A failing disk under the server.
     *
     * @param failure the kind of failure
     */
    record Disk(DiskFailure failure) implements OfMachine {
        @Override
        public FaultKind kind() {
            return FaultKind.DISK;
        }
    }

    /** A lack of file descriptors for the next file of the store. */
    record Descriptors() implements OfMachine {
        @Override
        public FaultKind kind() {
            return FaultKind.DESCRIPTORS;
        }
    }

    /**
     * A step of the wall clock of the server's machine, undone later. Its monotonic clock is not affected.
     *
     * @param step the step ahead; negative: back
     */
    record Clock(Duration step) implements OfMachine {
        @Override
        public FaultKind kind() {
            return FaultKind.CLOCK;
        }
    }

    /** A kind of failure of a disk. */
    enum DiskFailure {
        /** A failure of one sync of the write-ahead log. */
        SYNC("a sync of the log fails"),
        /** A failure of every write, as on a file system that became read-only. */
        READ_ONLY("all writes fail"),
        /** A failure of every write, as over a quota. */
        QUOTA("the quota is exhausted"),
        /** A failure of every creation of a file. */
        CREATE("no file can be created");

        private final String words;

        DiskFailure(String words) {
            this.words = words;
        }

        /** Returns the failure in words. */
        public String words() {
            return words;
        }
    }
}
