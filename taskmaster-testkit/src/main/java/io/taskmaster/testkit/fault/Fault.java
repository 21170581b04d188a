package io.taskmaster.testkit.fault;

import io.taskmaster.testkit.relay.Flow;
import java.time.Duration;
import java.util.Set;

/** Something that goes wrong for a while. Immutable. */
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

    /** The server dies without warning. */
    record Kill() implements OfServer {
        @Override
        public FaultKind kind() {
            return FaultKind.KILL;
        }
    }

    /** The server does not run. */
    record Stop() implements OfServer {
        @Override
        public FaultKind kind() {
            return FaultKind.STOP;
        }
    }

    /** The server ends in good order. */
    record Restart() implements OfServer {
        @Override
        public FaultKind kind() {
            return FaultKind.RESTART;
        }
    }

    /** There is no network. */
    record Disconnect() implements OfNetwork {
        @Override
        public FaultKind kind() {
            return FaultKind.DISCONNECT;
        }
    }

    /**
     * The network keeps what it is given.
     *
     * @param flows in these directions
     */
    record Stall(Set<Flow> flows) implements OfNetwork {
        public Stall {
            flows = Set.copyOf(flows);
        }

        @Override
        public FaultKind kind() {
            return FaultKind.STALL;
        }
    }

    /**
     * The network takes its time.
     *
     * @param delay so much more, each way
     */
    record Slow(Duration delay) implements OfNetwork {
        @Override
        public FaultKind kind() {
            return FaultKind.SLOW;
        }
    }

    /**
     * A worker dies without warning.
     *
     * @param choice which: the number of a worker, modulo how many there are
     */
    record KillWorker(int choice) implements OfWorkers {
        @Override
        public FaultKind kind() {
            return FaultKind.KILL_WORKER;
        }
    }

    /**
     * A worker does not run, and may find when it goes on that its leases have moved.
     *
     * @param choice which: the number of a worker, modulo how many there are
     */
    record StopWorker(int choice) implements OfWorkers {
        @Override
        public FaultKind kind() {
            return FaultKind.STOP_WORKER;
        }
    }

    /** A region server of the store dies without warning: its regions are away until the store has noticed, and opened them again. */
    record KillRegionServer() implements OfStore {
        @Override
        public FaultKind kind() {
            return FaultKind.KILL_REGION_SERVER;
        }
    }

    /** A region server of the store does not run, and may find when it goes on that it was given up. */
    record StopRegionServer() implements OfStore {
        @Override
        public FaultKind kind() {
            return FaultKind.STOP_REGION_SERVER;
        }
    }

    /** A data node of the store dies without warning: nothing can be written or synced. */
    record KillDataNode() implements OfStore {
        @Override
        public FaultKind kind() {
            return FaultKind.KILL_DATA_NODE;
        }
    }

    /** A data node of the store does not run: what is written hangs. */
    record StopDataNode() implements OfStore {
        @Override
        public FaultKind kind() {
            return FaultKind.STOP_DATA_NODE;
        }
    }

    /**
     * The disk under the server fails.
     *
     * @param how what it does
     */
    record Disk(DiskFailure how) implements OfMachine {
        @Override
        public FaultKind kind() {
            return FaultKind.DISK;
        }
    }

    /** There is no descriptor for the next file of the store. */
    record Descriptors() implements OfMachine {
        @Override
        public FaultKind kind() {
            return FaultKind.DESCRIPTORS;
        }
    }

    /**
     * The wall clock of the server's machine is set, and later set right; its monotonic clock is not touched.
     *
     * @param step so far ahead; negative: back
     */
    record Clock(Duration step) implements OfMachine {
        @Override
        public FaultKind kind() {
            return FaultKind.CLOCK;
        }
    }

    /** How a disk fails. */
    enum DiskFailure {
        /** One sync of the write-ahead log. */
        SYNC("a sync of the log fails"),
        /** Whatever writes, as on a file system that became read-only. */
        READ_ONLY("nothing can be written"),
        /** Whatever writes, as over a quota. */
        QUOTA("the quota is used up"),
        /** Whatever makes a file. */
        CREATE("no file can be made");

        private final String words;

        DiskFailure(String words) {
            this.words = words;
        }

        /** What happens, in words. */
        public String words() {
            return words;
        }
    }
}
