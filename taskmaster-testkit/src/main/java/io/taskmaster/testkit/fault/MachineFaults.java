package io.taskmaster.testkit.fault;

import io.taskmaster.testkit.disk.UnreliableDisk;
import io.taskmaster.testkit.disk.UnreliableDisk.Call;
import io.taskmaster.testkit.disk.UnreliableDisk.ErrorNumber;
import io.taskmaster.testkit.process.ServerProcess;
import java.util.Optional;

/** The machine under a server as a target of faults. Thread-safe. */
final class MachineFaults implements FaultTarget<Fault.OfMachine> {

    private final ServerProcess server;
    private final Optional<UnreliableDisk> disk;

    /**
     * @param disk under the server, if that is one that fails
     */
    MachineFaults(ServerProcess server, Optional<UnreliableDisk> disk) {
        this.server = server;
        this.disk = disk;
    }

    @Override
    public void strike(Fault.OfMachine fault) {
        if (!server.isAlive()) {
            throw new IllegalStateException("the server ended by itself: " + server.lastWords());
        }
        switch (fault) {
            case Fault.Disk(Fault.DiskFailure how) -> fail(how);
            case Fault.Descriptors _ -> disk().fail(Call.CREATE, ErrorNumber.EMFILE, "");
        }
    }

    private void fail(Fault.DiskFailure how) {
        switch (how) {
            case SYNC -> disk().failOnce(Call.SYNC, ErrorNumber.EIO, ".log");
            case READ_ONLY -> disk().fail(Call.WRITE, ErrorNumber.EROFS, "");
            case QUOTA -> disk().fail(Call.WRITE, ErrorNumber.EDQUOT, "");
            case CREATE -> disk().fail(Call.CREATE, ErrorNumber.EIO, "");
        }
    }

    private UnreliableDisk disk() {
        return disk.orElseThrow(
                () -> new IllegalStateException("fault of the machine (expected: a server on a disk that fails)"));
    }

    @Override
    public void heal(Fault.OfMachine fault) {
        disk.ifPresent(UnreliableDisk::heal);
    }

    @Override
    public void awaitRecovery(Fault.OfMachine fault) throws InterruptedException {
        server.awaitServing();
    }
}
