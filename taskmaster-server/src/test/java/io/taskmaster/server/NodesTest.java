package io.taskmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.config.SettingsReader;
import io.taskmaster.proxy.program.ExitStatus;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.proxy.rpc.RpcServerOptions;
import io.taskmaster.server.config.ServerConfig;
import io.taskmaster.server.partition.PartitionNode;
import io.taskmaster.server.store.RefusingStore;
import io.taskmaster.server.store.memory.MemoryStore;
import io.taskmaster.time.Clock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the whole program on real data: client, port, engine, RocksDB. */
final class NodesTest {

    private static final QueueKey QUEUE = QueueKey.of("g", "q");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void aStoreWithoutItsClientSaysWhatIsMissing() {
        assertThatThrownBy(() -> Nodes.requireClient("org.nowhere.Client", "org.nowhere:client"))
                .isInstanceOfSatisfying(
                        StartException.class, e -> assertThat(e.status()).isEqualTo(ExitStatus.USAGE))
                .hasMessageContaining("org.nowhere:client");
    }

    @Test
    void whatWasAcknowledgedIsThereAfterARestartAndALeaseIsStillHeld() throws Exception {
        LeasedTask leased;
        try (var server = start();
                var client = connect(server)) {
            client.enqueue(QUEUE, Pid.of("1"), Bytes.of("one")).get();
            client.enqueue(QUEUE, Pid.of("2"), Bytes.of("two")).get();
            leased = client.lease(LeaseRequest.from(QUEUE)).get().getFirst();
            assertThat(leased.pid()).isEqualTo(Pid.of("1"));
            assertThat(server.stop()).isTrue();
        }

        try (var server = start();
                var client = connect(server)) {
            assertThat(client.list(ListRequest.of(QueueSelector.all())).get().queues())
                    .containsExactly(new QueueSummary(QUEUE, 1, 1, 0));
            assertThat(client.dequeue(leased).get().success()).isTrue();
            assertThat(client.lease(LeaseRequest.from(QUEUE)).get())
                    .singleElement()
                    .extracting(LeasedTask::data)
                    .isEqualTo(Bytes.of("two"));
        }
    }

    @Test
    void whatWasAcknowledgedIsThereAfterServersThatWereNotDrained() throws Exception {
        for (int life = 0; life < 3; life++) {
            try (var server = start();
                    var client = connect(server)) {
                client.enqueue(QUEUE, Pid.of("task " + life), Bytes.of("data")).get();
                var poll = client.lease(
                        LeaseRequest.from(QueueKey.of("g", "empty")).maxWait(Duration.ofSeconds(50)));

                server.abort();

                assertThat(poll).failsWithin(Duration.ofSeconds(5));
                assertThat(server.stop()).as("stopped already").isTrue();
            }
        }
        try (var server = start();
                var client = connect(server)) {
            assertThat(client.list(ListRequest.of(QueueSelector.all())).get().queues())
                    .containsExactly(new QueueSummary(QUEUE, 3, 0, 0));
        }
    }

    @Test
    void whoMovesTheClockOfANodeIsToldWhenWhatWasDueIsDone() throws Exception {
        var ahead = new AtomicLong();
        var clock = new Clock() {
            @Override
            public long wallMillis() {
                return System.currentTimeMillis() + ahead.get() / 1_000_000;
            }

            @Override
            public long nanos() {
                return System.nanoTime() + ahead.get();
            }
        };
        var nodes = new ArrayList<PartitionNode>();
        NodeFactory factory = (config, meters) -> {
            nodes.add(Nodes.open(config, new MemoryStore(), clock, meters));
            return nodes.getFirst();
        };
        try (var server = TaskMasterServer.start(settings().read(), factory, new RpcServerOptions(clock, List.of()));
                var client = connect(server)) {
            client.enqueue(QUEUE, Pid.of("1"), Bytes.of("one")).get();
            client.lease(LeaseRequest.from(QUEUE).length(Duration.ofHours(1))).get();

            ahead.addAndGet(Duration.ofHours(1).toNanos());

            assertThat(nodes.getFirst().clockMoved()).succeedsWithin(Duration.ofSeconds(20));
            assertThat(client.lease(LeaseRequest.from(QUEUE)).get()).hasSize(1);
        }
    }

    @Test
    void aSecondServerOnTheSameDataIsToldSo() throws Exception {
        try (var server = start()) {
            assertThat(server.rpcPort()).isPositive();
            assertThatThrownBy(this::start)
                    .isInstanceOfSatisfying(
                            StartException.class, e -> assertThat(e.status()).isEqualTo(ExitStatus.DATA_UNUSABLE))
                    .hasMessageContaining("in use");
        }
    }

    @Test
    void dataThatAreNotOursAreLeftAlone() throws Exception {
        Path foreign = Files.writeString(folder.resolve("thesis.txt"), "precious");

        assertThatThrownBy(this::start)
                .isInstanceOfSatisfying(
                        StartException.class, e -> assertThat(e.status()).isEqualTo(ExitStatus.DATA_UNUSABLE));
        assertThat(foreign).hasContent("precious");
    }

    @Test
    void anotherNumberOfPartitionsThanTheDataWereCreatedWithIsRefused() throws Exception {
        start().close();

        assertThatThrownBy(() -> TaskMasterServer.start(
                        settings().set("partitions", "16").read(), Nodes.factory()))
                .isInstanceOfSatisfying(
                        StartException.class, e -> assertThat(e.status()).isEqualTo(ExitStatus.DATA_UNUSABLE))
                .hasMessage("partitions: 16 (expected: 8, as when the data was created)");
    }

    @Test
    void aSharedStoreWhoseRowsAreOnTheirWayToAnotherServerIsGivenTime() throws Exception {
        var store = new RefusingStore();
        store.refuse(5);
        NodeFactory factory = (config, meters) -> Nodes.open(config, store, meters);
        try (var server =
                        TaskMasterServer.start(settings().set("store", "hbase").read(), factory);
                var client = connect(server)) {
            client.enqueue(QUEUE, Pid.of("1"), Bytes.of("one")).get();
        }
    }

    @Test
    void stoppingRefusesLongPollsInsteadOfWaitingForThem() throws Exception {
        try (var server = start();
                var client = connect(server)) {
            var poll = client.lease(LeaseRequest.from(QUEUE).maxWait(Duration.ofSeconds(50)));
            client.enqueue(QueueKey.of("g", "another"), Bytes.of("x")).get();

            assertThat(server.stop()).isTrue();

            assertThat(poll)
                    .failsWithin(Duration.ofSeconds(5))
                    .withThrowableThat()
                    .withMessageContaining("leases no more tasks");
        }
    }

    private TaskMasterServer start() throws StartException {
        ServerConfig config = settings().read();
        return TaskMasterServer.start(config, Nodes.factory());
    }

    private SettingsReader<ServerConfig> settings() {
        return TestConfig.reader()
                .set("store", "rocksdb")
                .set("data", folder.toString())
                .set("partitions", "8");
    }

    private static TaskMasterClient connect(TaskMasterServer server) {
        return TaskMasterClient.builder("127.0.0.1:" + server.rpcPort())
                .maxRetries(0)
                .build();
    }
}
