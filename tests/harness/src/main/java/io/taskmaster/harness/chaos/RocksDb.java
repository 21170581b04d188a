package io.taskmaster.harness.chaos;

import io.taskmaster.harness.fault.ProcessFaults;
import io.taskmaster.harness.machine.UnreliableMachine;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The store within the server's process, on a machine that can fail if that is possible here. Single-threaded. */
final class RocksDb implements ChaosStore {

    private final Path folder;
    private Optional<UnreliableMachine> machine = Optional.empty();

    /** @param folder the folder of the machine's libraries */
    RocksDb(Path folder) {
        this.folder = folder;
    }

    @Override
    public ServerPlan under(ServerPlan server) {
        machine = UnreliableMachine.at(server.folder(), folder);
        ServerPlan plan = server.withStore("rocksdb");
        return machine.map(failing -> failing.under(plan)).orElse(plan);
    }

    @Override
    public ProcessFaults exposedTo(ProcessFaults faults, ServerProcess server) {
        return machine.map(failing -> faults.withMachine(server, failing)).orElse(faults);
    }

    @Override
    public void awaitReady() {}

    @Override
    public Map<String, Integer> starts() {
        return Map.of();
    }

    @Override
    public void close() {}
}
