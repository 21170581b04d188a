package io.taskmaster.harness.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.harness.relay.ByteFlow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ProcessFaultsTest {

    private static final List<Fault> ONE_OF_EACH_KIND = List.of(
            new Fault.Kill(),
            new Fault.Stop(),
            new Fault.Restart(),
            new Fault.Disconnect(),
            new Fault.Stall(Set.of(ByteFlow.REPLIES)),
            new Fault.Slow(Duration.ofMillis(10)),
            new Fault.KillWorker(1),
            new Fault.StopWorker(2),
            new Fault.KillRegionServer(),
            new Fault.StopRegionServer(),
            new Fault.KillDataNode(),
            new Fault.StopDataNode(),
            new Fault.Disk(Fault.DiskFailure.SYNC),
            new Fault.Descriptors(),
            new Fault.Clock(Duration.ofHours(-1)));

    private final Part<Fault.OfServer> server = new Part<>();
    private final Part<Fault.OfNetwork> network = new Part<>();
    private final Part<Fault.OfWorkers> workers = new Part<>();
    private final Part<Fault.OfMachine> machine = new Part<>();
    private final ProcessFaults faults = new ProcessFaults(server, network, workers, new EmbeddedStore(), machine);

    /** A target that records its faults. */
    private static final class Part<F extends Fault> implements FaultTarget<F> {

        private final List<String> done = new ArrayList<>();

        @Override
        public void strike(F fault) {
            done.add("+" + fault.kind().word());
        }

        @Override
        public void heal(F fault) {
            done.add("-" + fault.kind().word());
        }

        @Override
        public void awaitRecovery(F fault) {
            done.add("=" + fault.kind().word());
        }
    }

    @Test
    void everyFaultIsDoneToItsPartAndToNoOther() throws InterruptedException {
        Part<Fault.OfStore> store = new Part<>();
        ProcessFaults whole = faults.withStore(store);
        assertThat(ONE_OF_EACH_KIND).extracting(Fault::kind).containsExactly(FaultKind.values());
        for (Fault fault : ONE_OF_EACH_KIND) {
            whole.strike(fault);
            whole.heal(fault);
            whole.awaitRecovery(fault);
        }

        assertThat(server.done).isEqualTo(eachDone(FaultKind.Part.SERVER));
        assertThat(network.done).isEqualTo(eachDone(FaultKind.Part.NETWORK));
        assertThat(workers.done).isEqualTo(eachDone(FaultKind.Part.WORKERS));
        assertThat(store.done).isEqualTo(eachDone(FaultKind.Part.STORE));
        assertThat(machine.done).isEqualTo(eachDone(FaultKind.Part.MACHINE));
    }

    @Test
    void aStoreWithinTheServerHasNoFaultsOfItsOwn() {
        assertThatThrownBy(() -> faults.strike(new Fault.KillDataNode()))
                .hasMessage("fault: kill-data-node (expected: none of the store, which has no processes of its own)");
    }

    private static List<String> eachDone(FaultKind.Part part) {
        return ONE_OF_EACH_KIND.stream()
                .map(Fault::kind)
                .filter(kind -> kind.part() == part)
                .map(FaultKind::word)
                .flatMap(word -> List.of("+" + word, "-" + word, "=" + word).stream())
                .toList();
    }
}
