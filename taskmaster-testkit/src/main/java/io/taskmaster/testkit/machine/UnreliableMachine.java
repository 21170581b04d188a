package io.taskmaster.testkit.machine;

import io.taskmaster.testkit.process.ServerPlan;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The machine of a server, with a disk that fails and a wall clock that can be set. Thread-safe.
 *
 * @param disk on which the server has its data
 * @param clock by which it goes
 */
public record UnreliableMachine(UnreliableDisk disk, SettableClock clock) {

    /**
     * Makes one.
     *
     * @param root what is on its disk
     * @param folder for what belongs to it; on the same file system, and not in the root
     * @return empty where there is no compiler, or this is not Linux
     */
    public static Optional<UnreliableMachine> at(Path root, Path folder) {
        return UnreliableDisk.at(root, folder)
                .flatMap(disk -> SettableClock.in(folder).map(clock -> new UnreliableMachine(disk, clock)));
    }

    /** The same server, on this machine, which does not lose power. */
    public ServerPlan under(ServerPlan plan) {
        return clock.under(disk.onlyFailingUnder(plan));
    }
}
