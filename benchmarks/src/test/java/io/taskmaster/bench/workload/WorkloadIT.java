package io.taskmaster.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.net.HostAndPort;
import io.taskmaster.bench.load.Timing;
import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.store.LocalBacking;
import io.taskmaster.bench.store.RawStore;
import io.taskmaster.bench.target.EchoProcess;
import io.taskmaster.bench.target.Target;
import io.taskmaster.bench.workload.isolation.IsolationWorkload;
import io.taskmaster.bench.workload.queues.QueuesWorkload;
import io.taskmaster.testkit.TestServer;
import io.taskmaster.v1.ServiceClass;
import io.taskmaster.v1.UpdateRequest;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of every workload, each for a moment, against a correct fake and against faulty ones. */
class WorkloadIT {

    private static final int MAX_BACKLOG = 100_000;
    private static final int MAX_RATE = 1_000_000;

    private final Scene scene = scene(Duration.ofSeconds(1));

    /** The parameters of workloads with many rows. */
    private final Scene brief = scene(Duration.ofMillis(250));

    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void enqueuesAreCounted(int batch) throws InterruptedException {
        assertHealthy(run(new EnqueueWorkload(false, batch), new FakeTaskMaster()), batch);
        assertHealthy(run(new EnqueueWorkload(true, batch), new FakeTaskMaster()), batch);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void leasedTasksAreFinished(int batch) throws InterruptedException {
        assertHealthy(run(new LeaseWorkload(false, batch), new FakeTaskMaster()), batch);
        assertHealthy(run(new LeaseWorkload(true, batch), new FakeTaskMaster()), batch);
    }

    @Test
    void tasksGoRoundThroughTheStageLibrary() throws InterruptedException {
        try (TestServer server = TestServer.inMemory()) {
            HostAndPort address = HostAndPort.fromString(server.target());
            Row row = new StageWorkload().run(scene, new Target() {
                @Override
                public InetSocketAddress address() {
                    return new InetSocketAddress(address.getHost(), address.getPort());
                }

                @Override
                public void close() {}
            });
            assertHealthy(row, 1);
            assertThat(row.note()).contains("us of processor time per task");
        }
    }

    @Test
    void leasingRunsDryBeforeTheTimeIsUp() throws InterruptedException {
        try (Target server = new FakeTarget(new FakeTaskMaster())) {
            Row row = new LeaseWorkload(false, 20).run(scene(Duration.ofHours(1)), server);
            assertThat(row.measurement().errors()).isEmpty();
            assertThat(row.measurement().length()).isLessThan(Duration.ofHours(1));
            assertThat(row.note()).contains("all tasks were gone");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 50, 100})
    void collidingUpdatesAllSucceed(int percent) throws InterruptedException {
        assertHealthy(run(new CollideWorkload(percent), new FakeTaskMaster()), 1);
    }

    @Test
    void randomPidsFindTheirPlaceInABacklog() throws InterruptedException {
        assertHealthy(run(new RandomPidsWorkload(5_000), new FakeTaskMaster()), 1);
    }

    @Test
    void aDeletedQueueIsUsableAtOnce() throws InterruptedException {
        Row row = run(new DeleteWorkload(20_000), new FakeTaskMaster());
        assertThat(row.measurement().errors()).isEmpty();
        assertThat(row.measurement().operations()).isEqualTo(1);
        assertThat(row.note()).contains("under the same name");
    }

    @Test
    void manyQueuesAreHeldAgainstFew() throws InterruptedException {
        try (Target server = new FakeTarget(new FakeTaskMaster())) {
            List<Row> rows = new ArrayList<>();
            new QueuesWorkload(10, 1_500).run(brief, server, rows::add);
            assertThat(rows)
                    .extracting(Row::name)
                    .containsExactly(
                            "queues lease 10",
                            "queues lease 1500",
                            "queues describe 10",
                            "queues describe 1500",
                            "queues list 1500",
                            "queues total 1500");
            assertThat(rows).allSatisfy(row -> assertHealthy(row, 1));
            assertThat(rows.get(1).note()).contains("times those of 10 queues");
        }
    }

    @Test
    void aLoneWorkerIsHeldAgainstItselfWithoutLoad() throws InterruptedException {
        try (Target server = new FakeTarget(new FakeTaskMaster())) {
            List<Row> rows = new ArrayList<>();
            new IsolationWorkload(List.of(2)).run(brief, server, rows::add);
            assertThat(rows)
                    .extracting(Row::name)
                    .containsExactly(
                            "isolation 0",
                            "isolation 2",
                            "isolation 2 load",
                            "isolation 2 bulk",
                            "isolation 2 bulk load");
            assertThat(rows).allSatisfy(row -> assertHealthy(row, 50));
            assertThat(rows.get(3).limit()).contains("isolation 0");
        }
    }

    @Test
    void overloadIsTheServersRightAndNotAnError() throws InterruptedException {
        FakeTaskMaster busy = new FakeTaskMaster() {
            @Override
            boolean isOverloaded(UpdateRequest request) {
                return request.getServiceClass() == ServiceClass.BULK;
            }
        };
        try (Target server = new FakeTarget(busy)) {
            List<Row> rows = new ArrayList<>();
            new IsolationWorkload(List.of(1)).run(brief, server, rows::add);
            Row load = rows.getLast();
            assertThat(load.measurement().errors()).isEmpty();
            assertThat(load.measurement().operations()).isZero();
            assertThat(load.note()).endsWith("updates rejected for overload, and sent again");
        }
    }

    @Test
    void aServerThatCountsWrongIsCaught() throws InterruptedException {
        FakeTaskMaster forgetful = new FakeTaskMaster() {
            @Override
            boolean forgets() {
                return true;
            }
        };
        try (Target server = new FakeTarget(forgetful)) {
            List<Row> rows = new ArrayList<>();
            new QueuesWorkload(2, 10).run(brief, server, rows::add);
            assertThat(rows)
                    .allSatisfy(row -> assertThat(row.measurement().errors().keySet())
                            .isNotEmpty()
                            .allMatch(reason -> reason.startsWith("check: ")));
        }
    }

    @Test
    void recoveryIsTimedAndNothingIsLost() throws InterruptedException {
        try (Target.Restartable server = new FakeTarget(new FakeTaskMaster())) {
            Row row = new RecoveryWorkload(2).run(scene, server);
            assertThat(row.measurement().errors()).isEmpty();
            assertThat(row.measurement().operations()).isEqualTo(2);
        }
    }

    @Test
    void aServerThatForgetsIsCaught() throws InterruptedException {
        FakeTaskMaster forgetful = new FakeTaskMaster() {
            @Override
            boolean forgets() {
                return true;
            }
        };
        assertThat(run(new EnqueueWorkload(false, 1), forgetful).measurement().errors())
                .anySatisfy((reason, count) -> assertThat(reason).startsWith("check: tasks lost"));
        try (Target.Restartable server = new FakeTarget(forgetful)) {
            assertThat(new RecoveryWorkload(1).run(scene, server).measurement().errors())
                    .anySatisfy((reason, count) -> assertThat(reason).startsWith("check: found 0 tasks"));
        }
    }

    @Test
    void aServerThatLeasesTwiceIsCaught() throws InterruptedException {
        FakeTaskMaster generous = new FakeTaskMaster() {
            @Override
            boolean leasesAgain() {
                return true;
            }
        };
        assertThat(run(new LeaseWorkload(false, 1), generous).measurement().errors())
                .containsKey("check: leased a task twice");
    }

    @Test
    void anUnreachableServerIsNamed() throws InterruptedException {
        FakeTarget closed = new FakeTarget(new FakeTaskMaster());
        closed.kill();
        assertThatThrownBy(() -> new EnqueueWorkload(false, 1).run(scene, closed))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot connect to")
                .hasMessageContaining(String.valueOf(closed.address().getPort()));
    }

    @Test
    void echoAnswersFromAProcessOfItsOwn(@TempDir Path folder) throws InterruptedException {
        try (EchoProcess echo = EchoProcess.startIn(folder)) {
            for (int batch : new int[] {1, 20}) {
                assertHealthy(new EchoWorkload(false, batch).run(scene, echo), batch);
                assertHealthy(new EchoWorkload(true, batch).run(scene, echo), batch);
            }
        }
    }

    @Test
    void rawBatchesReachTheDisk(@TempDir Path folder) throws InterruptedException {
        try (RawStore store = new LocalBacking("rocksdb").openRaw(folder)) {
            assertHealthy(new RawWorkload(20).run(scene, store), 20);
        }
    }

    private Row run(Workload.OnServer workload, FakeTaskMaster service) throws InterruptedException {
        try (Target server = new FakeTarget(service)) {
            return workload.run(scene, server);
        }
    }

    private static void assertHealthy(Row row, int batch) {
        assertThat(row.measurement().errors()).isEmpty();
        assertThat(row.measurement().operations()).isPositive();
        assertThat(row.measurement().latencies().count())
                .isEqualTo(row.measurement().operations());
        assertThat(row.measurement().tasks())
                .isLessThanOrEqualTo(row.measurement().operations() * batch);
        assertThat(row.measurement().tasksPerSecond()).isPositive();
    }

    private static Scene scene(Duration measured) {
        // The warm-up is minimal: on a fast machine it would use up the tasks that were to be measured.
        Timing timing = new Timing(Duration.ofMillis(10), measured);
        return new Scene(new Load(2, OptionalInt.of(20), 100, 2, 2, MAX_BACKLOG, MAX_RATE, timing), "test");
    }
}
