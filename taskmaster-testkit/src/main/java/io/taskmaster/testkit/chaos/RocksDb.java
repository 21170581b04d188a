package io.taskmaster.testkit.chaos;

import io.taskmaster.testkit.fault.ProcessFaults;
import io.taskmaster.testkit.process.ServerPlan;
import java.util.Map;

/** The store that a server has in its own process. Immutable. */
final class RocksDb implements ChaosStore {

    @Override
    public ServerPlan under(ServerPlan server) {
        return server.withStore("rocksdb");
    }

    @Override
    public ProcessFaults exposedTo(ProcessFaults faults) {
        return faults;
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
