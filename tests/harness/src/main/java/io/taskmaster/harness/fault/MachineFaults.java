package io.taskmaster.harness.fault;

import io.taskmaster.harness.machine.UnreliableDisk;
import io.taskmaster.harness.machine.UnreliableDisk.Call;
import io.taskmaster.harness.machine.UnreliableDisk.ErrorNumber;
import io.taskmaster.harness.machine.UnreliableMachine;
import io.taskmaster.harness.process.ServerProcess;
import java.time.Duration;
import java.util.Optional;

/** A target for faults of the machine under a server. Thread-safe. */
final class MachineFaults implements FaultTarget<Fault.OfMachine> {

    private final ServerProcess server;
    private final Optional<UnreliableMachine> machine;

    /** The number of the latest start after which the server is known to have served. */
    private volatile int servedStarts;

    /** @param machine the machine under the server, if it is one that can fail */
    MachineFaults(ServerProcess server, Optional<UnreliableMachine> machine) {
        this.server = server;
        this.machine = machine;
    }

    @Override
    public void strike(Fault.OfMachine fault) throws InterruptedException {
        if (!server.isAlive()) {
            throw new IllegalStateException("the server ended by itself: " + server.lastOutput());
        }
        awaitStarted();
        switch (fault) {
            case Fault.Disk(Fault.DiskFailure failure) -> fail(failure);
            case Fault.Descriptors _ -> machine().disk().fail(Call.CREATE, ErrorNumber.EMFILE, "");
            case Fault.Clock(Duration step) -> machine().clock().set(step);
        }
    }

    /**
     * Waits until the server serves. A server need not start without a disk or descriptors, and takes the clock by
     * which it starts for the right one.
     */
    private void awaitStarted() throws InterruptedException {
        int starts = server.starts();
        if (starts != servedStarts) {
            server.awaitServing();
            servedStarts = starts;
        }
    }

    private void fail(Fault.DiskFailure failure) {
        UnreliableDisk disk = machine().disk();
        switch (failure) {
            case SYNC -> disk.failOnce(Call.SYNC, ErrorNumber.EIO, ".log");
            case READ_ONLY -> disk.fail(Call.WRITE, ErrorNumber.EROFS, "");
            case QUOTA -> disk.fail(Call.WRITE, ErrorNumber.EDQUOT, "");
            case CREATE -> disk.fail(Call.CREATE, ErrorNumber.EIO, "");
        }
    }

    private UnreliableMachine machine() {
        return machine.orElseThrow(
                () -> new IllegalStateException("fault of the machine (expected: a server on one that fails)"));
    }

    @Override
    public void heal(Fault.OfMachine fault) {
        machine.ifPresent(failing -> {
            switch (fault) {
                case Fault.Disk _, Fault.Descriptors _ -> failing.disk().heal();
                case Fault.Clock _ -> failing.clock().set(Duration.ZERO);
            }
        });
    }

    @Override
    public void awaitRecovery(Fault.OfMachine fault) throws InterruptedException {
        server.awaitServing();
    }
}
