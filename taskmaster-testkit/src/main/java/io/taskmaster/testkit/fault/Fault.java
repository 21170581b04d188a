package io.taskmaster.testkit.fault;

import io.taskmaster.testkit.relay.Flow;
import java.time.Duration;
import java.util.Set;

/** Something that goes wrong for a while. Immutable. */
public sealed interface Fault {

    FaultKind kind();

    /** The server dies without warning. */
    record Kill() implements Fault {
        @Override
        public FaultKind kind() {
            return FaultKind.KILL;
        }
    }

    /** The server does not run. */
    record Stop() implements Fault {
        @Override
        public FaultKind kind() {
            return FaultKind.STOP;
        }
    }

    /** The server ends in good order. */
    record Restart() implements Fault {
        @Override
        public FaultKind kind() {
            return FaultKind.RESTART;
        }
    }

    /** There is no network. */
    record Disconnect() implements Fault {
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
    record Stall(Set<Flow> flows) implements Fault {
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
    record Slow(Duration delay) implements Fault {
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
    record KillWorker(int choice) implements Fault {
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
    record StopWorker(int choice) implements Fault {
        @Override
        public FaultKind kind() {
            return FaultKind.STOP_WORKER;
        }
    }
}
