package io.taskmaster.bench.workload.queues;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.bench.load.LoadConnections;
import io.taskmaster.bench.load.Measurement;
import io.taskmaster.bench.load.Timing;
import io.taskmaster.bench.target.Target;
import io.taskmaster.bench.workload.FakeTarget;
import io.taskmaster.bench.workload.FakeTaskMaster;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.ListRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SideTest {

    private static final Timing TIMING = new Timing(Duration.ofMillis(250), Duration.ofMillis(500));

    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());

    @Test
    void sidesTakeTurnsAndOnlyTheMeasuredTimeCounts() throws InterruptedException {
        Side one = new Side(probe("one"));
        Side other = new Side(probe("other"));
        measure(one, other);

        assertThat(turns()).containsExactly("one", "other", "one", "other", "one", "other");
        Measurement measured = one.measurement();
        assertThat(measured.errors()).isEmpty();
        assertThat(measured.operations())
                .isPositive()
                .isLessThan(asked.stream().filter("one"::equals).count());
        assertThat(measured.length()).isGreaterThanOrEqualTo(Duration.ofMillis(500));
    }

    @Test
    void whatFailsIsCountedAndWhatWasTimedBeforeItIsKept() throws InterruptedException {
        Side side = new Side((stub, slot, watch) -> stub.listQueues(
                ListRequest.getDefaultInstance(), watch.timed(slot, (ListReply _) -> slot.failed("check: wrong"))));
        measure(side);

        assertThat(side.measurement().errors()).containsOnlyKeys("check: wrong");
        assertThat(side.measurement().operations()).isPositive();
    }

    private LatencyProbe probe(String name) {
        return (stub, slot, watch) -> {
            asked.add(name);
            stub.listQueues(ListRequest.getDefaultInstance(), watch.timed(slot, (ListReply _) -> slot.succeeded(1)));
        };
    }

    /** Returns the names of the probes that were called, once per slice. */
    private List<String> turns() {
        List<String> turns = new ArrayList<>();
        for (String name : asked) {
            if (turns.isEmpty() || !turns.getLast().equals(name)) {
                turns.add(name);
            }
        }
        return turns;
    }

    private static void measure(Side... sides) throws InterruptedException {
        try (Target server = new FakeTarget(new FakeTaskMaster());
                LoadConnections loadConnections = LoadConnections.open(server.address(), 1)) {
            Side.measure(loadConnections, TIMING, sides);
        }
    }
}
