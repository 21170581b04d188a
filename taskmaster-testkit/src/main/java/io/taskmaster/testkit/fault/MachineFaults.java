package io.taskmaster.testkit.fault;

import io.taskmaster.testkit.machine.UnreliableDisk;
import io.taskmaster.testkit.machine.UnreliableDisk.Call;
import io.taskmaster.testkit.machine.UnreliableDisk.ErrorNumber;
import io.taskmaster.testkit.machine.UnreliableMachine;
import io.taskmaster.testkit.process.ServerProcess;
import java.time.Duration;
import java.util.Optional;

/** The machine under a server as a target of faults. Thread-safe. */
final class MachineFaults implements FaultTarget<Fault.OfMachine> {

    private final ServerProcess server;
    private final Optional<UnreliableMachine> machine;

    /**
     * @param machine under the server, if that is one that fails
     */
    MachineFaults(ServerProcess server, Optional<UnreliableMachine> machine) {
        this.server = server;
        this.machine = machine;
    }

    @Override
    public void strike(Fault.OfMachine fault) throws InterruptedException {
        if (!server.isAlive()) {
            throw new IllegalStateException("the server ended by itself: " + server.lastWords());
        }
        switch (fault) {
            case Fault.Disk(Fault.DiskFailure how) -> fail(how);
            case Fault.Descriptors _ -> machine().disk().fail(Call.CREATE, ErrorNumber.EMFILE, "");
            case Fault.Clock(Duration step) -> {
                // A server that starts by a wrong clock takes it for the right one: that is none of its promises.
                server.awaitServing();
                machine().clock().set(step);
            }
        }
    }

    private void fail(Fault.DiskFailure how) {
        UnreliableDisk disk = machine().disk();
        switch (how) {
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
