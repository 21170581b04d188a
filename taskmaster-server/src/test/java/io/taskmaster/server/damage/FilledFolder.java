package io.taskmaster.server.damage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.QueueOptions;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.RequestId;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.NodeFactory;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import io.taskmaster.server.config.ServerConfig;
import io.taskmaster.server.store.rocksdb.RocksDbSettings;
import io.taskmaster.server.store.rocksdb.RocksDbStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/**
 * Data folders with all kinds of contents: table files of several flushes and of all column families, staged rounds,
 * tasks in all states, and tasks that are only in the commit log.
 */
final class FilledFolder {

    static final int PARTITIONS = 8;

    private static final int GROUPS = 24;
    private static final QueueName LEFT = QueueName.of("left");
    private static final QueueName RIGHT = QueueName.of("right");
    private static final RocksDbSettings SMALL =
            new RocksDbSettings(16 << 20, 4 << 20, 1 << 20, 6 << 20, 1 << 20, 2 << 20, 64 << 20, 1024, 2);
    /** A flush interval of a minute: no round begins before the test is done. */
    private static final String NEVER = "1m";

    private final RandomGenerator random = new SplittableRandom(1);
    private final Path folder;

    private FilledFolder(Path folder) {
        this.folder = folder;
    }

    static List<QueueKey> queues() {
        List<QueueKey> queues = new ArrayList<>();
        for (int group = 0; group < GROUPS; group++) {
            queues.add(new QueueKey(name(group), LEFT));
            queues.add(new QueueKey(name(group), RIGHT));
        }
        return queues;
    }

    /** Fills a folder, and copies it as a killed process leaves it, and as a stopped one does. */
    static void make(Path folder, Path killed, Path stopped) throws Exception {
        FilledFolder filled = new FilledFolder(folder);
        for (int life = 0; life < 3; life++) {
            int number = life;
            filled.live("100ms", client -> filled.fill(client, number));
        }
        filled.live(NEVER, client -> {
            filled.fill(client, 3);
            filled.awaitQuiet();
            Folders.copy(folder, killed, Path.of(""));
        });
        Folders.copy(folder, stopped, Path.of(""));
    }

    static ServerConfig config(Path folder, String flushInterval) {
        return TestConfig.reader()
                .set("store", "rocksdb")
                .set("data", folder.toString())
                .set("partitions", Integer.toString(PARTITIONS))
                .set("flush.interval", flushInterval)
                .read();
    }

    /** The work that is done while a server runs. */
    private interface Life {
        void with(TaskMasterClient client) throws IOException;
    }

    private void live(String flushInterval, Life life) throws Exception {
        NodeFactory small = (config, meters) -> Nodes.open(config, RocksDbStore.open(folder, SMALL), meters);
        try (var server = TaskMasterServer.start(config(folder, flushInterval), small);
                var client = Contents.connect(server.rpcPort())) {
            life.with(client);
        }
    }

    private void fill(TaskMasterClient client, int life) {
        for (int number = 0; number < GROUPS; number++) {
            GroupName group = name(number);
            UpdateBuilder update = Update.in(group);
            for (int i = 0; i < 30; i++) {
                update.enqueue(LEFT, Pid.of("%d.%03d".formatted(life, i)), data(200 + random.nextInt(1500)));
                update.enqueue(new Update.Enqueue(
                        RIGHT,
                        Optional.of(Pid.of("%d.%03d".formatted(life, i))),
                        data(random.nextInt(300)),
                        Map.of("header", "value"),
                        Update.IfExists.COLLAPSE,
                        i % 3 == 0 ? Optional.of(Instant.now().plus(Duration.ofDays(1))) : Optional.empty()));
            }
            assertThat(client.blocking()
                            .update(update.requestId(RequestId.of("life" + life))
                                    .build())
                            .success())
                    .isTrue();
        }
        // More than a round writes through the write-ahead log, so this one is staged.
        UpdateBuilder large = Update.in(name(life));
        for (int i = 0; i < 100; i++) {
            large.enqueue(RIGHT, Pid.of("large.%d.%03d".formatted(life, i)), data(50_000));
        }
        assertThat(client.blocking().update(large.build()).success()).isTrue();
        for (int number = 0; number < GROUPS; number += 2) {
            LeaseRequest some = LeaseRequest.from(new QueueKey(name(number), LEFT))
                    .maxTasks(12)
                    .length(Duration.ofDays(1));
            List<LeasedTask> leased = client.blocking().lease(some);
            leased.subList(0, 6).forEach(task -> client.blocking().dequeue(task));
        }
        client.blocking().configure(new QueueKey(name(life), RIGHT), new QueueOptions(false, 1_000_000, 1));
        client.blocking().delete(QueueSelector.of(name(20 + life), LEFT));
    }

    private void awaitQuiet() {
        AtomicReference<Map<Path, Long>> before = new AtomicReference<>(Map.of());
        await().pollInterval(Duration.ofMillis(400)).until(() -> {
            Map<Path, Long> sizes = Folders.sizes(folder);
            return sizes.equals(before.getAndSet(sizes));
        });
    }

    private Bytes data(int size) {
        byte[] data = new byte[size];
        random.nextBytes(data);
        return Bytes.wrap(data);
    }

    private static GroupName name(int group) {
        return GroupName.of("group" + group);
    }
}
