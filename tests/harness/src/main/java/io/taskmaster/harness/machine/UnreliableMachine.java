package io.taskmaster.harness.machine;

import io.taskmaster.harness.process.ServerPlan;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A machine of a server, with a disk that can fail and a wall clock that can be set. Thread-safe.
 *
 * @param disk the disk of the server's data
 * @param clock its wall clock
 */
public record UnreliableMachine(UnreliableDisk disk, SettableClock clock) {

    /**
     * Creates a machine.
     *
     * @param root the folder that is on its disk
     * @param folder the folder of its files; on the same file system, and not in the root
     * @return empty without a compiler, or if this is not Linux
     */
    public static Optional<UnreliableMachine> at(Path root, Path folder) {
        return UnreliableDisk.at(root, folder)
                .flatMap(disk -> SettableClock.in(folder).map(clock -> new UnreliableMachine(disk, clock)));
    }

    /** Returns the plan of the same server on this machine, which does not lose power. */
    public ServerPlan under(ServerPlan plan) {
        return clock.under(disk.onlyFailingUnder(plan));
    }
}
