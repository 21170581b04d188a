package io.taskmaster.server.damage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.PeekResult;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import io.taskmaster.server.config.ServerConfig;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.FreeSpace;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.rocksdb.RocksDbSettings;
import io.taskmaster.server.store.rocksdb.RocksDbStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Tests of a server on a full disk: filled by the server itself, or by another process, to the last byte. Where no
 * small file system can be mounted, the disk of the build is used, with a reserve that is reached after a few
 * megabytes. A disk without a free byte is then not tested, and the output says so.
 */
final class FullDiskIT {

    private static final int DISK_MEBIBYTES = 256;
    private static final int RESERVE_MEBIBYTES = 64;
    /** The size of the disk that is drained. Its reserve covers the work of the store itself. */
    private static final int DRAINED_DISK_MEBIBYTES = 512;

    private static final int DRAINED_RESERVE_MEBIBYTES = 256;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.taskmaster");
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeEach
    void listenToTheLog() {
        logger.addAppender(logged);
        logged.start();
    }

    @AfterEach
    void letTheLogBe() {
        logger.detachAppender(logged);
    }

    @Test
    void queuesThatFilledTheDiskCanBeDrainedAndThenFilledAgain() throws Exception {
        if (!canMount()) {
            Path data = folder.resolve("data");
            long free = Files.getFileStore(folder).getUsableSpace();
            fillAndDrain(data, (free >> 20) - DRAINED_DISK_MEBIBYTES + DRAINED_RESERVE_MEBIBYTES);
            return;
        }
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), DRAINED_DISK_MEBIBYTES)) {
            fillAndDrain(disk.data(), DRAINED_RESERVE_MEBIBYTES);
        }
    }

    private void fillAndDrain(Path data, long reserveMebibytes) throws Exception {
        try (var server = start(data, reserveMebibytes);
                var client = Contents.connect(server.rpcPort());
                DiskLoad load = new DiskLoad(client, "fill", true)) {
            load.awaitEnd();
            assertThat(load.errors()).containsOnlyKeys(ErrorCode.STORE_FULL);
            assertThat(load.acknowledged()).hasSizeGreaterThan(2_000);
            // Logged once per transition: writing memtables out may free more than it takes.
            assertThat(lines("disk.reserve"))
                    .isNotEmpty()
                    .hasSizeLessThan(5)
                    .allSatisfy(line -> assertThat(line).contains("bytes free", data.toString()));
            assertThat(everything(client)).containsExactlyInAnyOrderElementsOf(load.acknowledged());

            assertThat(drain(client)).containsExactlyInAnyOrderElementsOf(load.acknowledged());

            await().atMost(Duration.ofMinutes(1))
                    .ignoreExceptions()
                    .until(() -> client.blocking()
                            .enqueue(DiskLoad.queue(0), Pid.of("again"), DiskLoad.data())
                            .success());
            System.out.printf(
                    "full disk: %d tasks until STORE_FULL, all drained%n",
                    load.acknowledged().size());
        }
    }

    @Test
    void aDiskThatIsFullToTheLastByteStopsWritesUntilThereIsSpace() throws Exception {
        if (!canMount()) {
            return;
        }
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), DISK_MEBIBYTES)) {
            Set<String> mayBe;
            Set<String> mustBe;
            // Without a reserve, so that the server writes as long as it can.
            try (var server = start(disk.data(), 0);
                    var client = Contents.connect(server.rpcPort());
                    DiskLoad load = new DiskLoad(client, "load", false)) {
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> load.acknowledged().size() > 1_000);
                // Not all at once: a write that has passed the check of the free space still needs some.
                disk.fillBut(4 << 20);
                await().atMost(Duration.ofSeconds(30)).until(() -> load.errors().containsKey(ErrorCode.STORE_FULL));
                disk.fill();
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> load.errors().getOrDefault(ErrorCode.STORE_FULL, 0) > 100);
                assertThat(lines("the disk is full"))
                        .isNotEmpty()
                        .hasSizeLessThan(5)
                        .first()
                        .asString()
                        .contains(disk.data().toString(), "bytes free");
                Path killed = folder.resolve("killed");
                Set<String> acknowledgedByThen = Set.copyOf(load.acknowledged());
                Folders.copy(disk.data(), killed, Path.of(""));
                int before = load.acknowledged().size();

                disk.free();
                long freed = System.nanoTime();
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> load.acknowledged().size() > before + 10 * DiskLoad.QUEUES);
                System.out.printf(
                        "full disk: serves again %d ms after there was space; refusals %s, lines of log %d%n",
                        Duration.ofNanos(System.nanoTime() - freed).toMillis(), load.errors(), logged.list.size());
                load.stop();
                assertThat(logged.list).hasSizeLessThan(60);
                mustBe = load.acknowledged();
                mayBe = new TreeSet<>(mustBe);
                mayBe.addAll(load.unknown());
                // A partition that has just failed to open tries again within two seconds.
                Set<String> found = await().atMost(Duration.ofSeconds(20))
                        .ignoreExceptionsMatching(failure -> failure instanceof TaskMasterException refusal
                                && refusal.code() == ErrorCode.PARTITION_OPENING)
                        .until(() -> everything(client), all -> !all.isEmpty());
                assertThat(found).containsAll(mustBe).isSubsetOf(mayBe);
                holds(killed, acknowledgedByThen);
            }
            holds(disk.data(), mustBe);
        }
    }

    /**
     * RocksDB begins a write-ahead log before it writes memtables out. A log that meets a full disk breaks the handle
     * until it is reopened.
     */
    @Test
    void nothingIsWrittenOutOnADiskThatIsFullToTheLastByte() throws Exception {
        if (!canMount()) {
            return;
        }
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), DISK_MEBIBYTES);
                RocksDbStore store = RocksDbStore.open(disk.data(), RocksDbSettings.DEFAULTS)) {
            assertThat(store.write(List.of(put("\0\0written")))).succeedsWithin(TIMEOUT);
            assertThat(store.stage(List.of(put("\0\0staged")))).succeedsWithin(TIMEOUT);
            disk.fill();

            assertThat(store.sync())
                    .failsWithin(TIMEOUT)
                    .withThrowableThat()
                    .havingCause()
                    .satisfies(refused ->
                            assertThat(((StoreException) refused).outcome()).isEqualTo(Outcome.REFUSED));
            // Meanwhile the store also tries to reclaim space.
            await().atMost(TIMEOUT)
                    .during(Duration.ofSeconds(1))
                    .until(() -> store.freeSpace().level() == FreeSpace.Level.NONE);

            disk.free();
            assertThat(store.write(List.of(put("\0\0again")))).succeedsWithin(TIMEOUT);
            assertThat(store.sync()).succeedsWithin(TIMEOUT);
        }
    }

    private static CellWrite put(String row) {
        return new CellWrite.Put(new CellKey(Table.TASKS, Bytes.of(row), 0), new Stamp(1, 1), Bytes.of("value"));
    }

    @Test
    void aStartOnAFullDiskIsRefusedAndSaysSo() throws Exception {
        if (!canMount()) {
            return;
        }
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), DISK_MEBIBYTES)) {
            Set<String> acknowledged;
            try (var server = start(disk.data(), RESERVE_MEBIBYTES);
                    var client = Contents.connect(server.rpcPort());
                    DiskLoad load = new DiskLoad(client, "load", false)) {
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> load.acknowledged().size() > 500);
                load.stop();
                acknowledged = load.acknowledged();
            }
            disk.fill();

            assertThatThrownBy(() -> start(disk.data(), RESERVE_MEBIBYTES))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining(disk.data().toString())
                    .hasMessageContaining("bytes free");

            disk.free();
            holds(disk.data(), acknowledged);
        }
    }

    private boolean canMount() {
        boolean possible = SmallDisk.isPossible(folder.resolve("probe"));
        if (!possible) {
            System.err.println(
                    "FullDiskIT: NO FILE SYSTEM CAN BE MOUNTED HERE. Only a reserve on the disk of the build is tested,"
                            + " not a disk without a free byte; run as root to test that.");
        }
        return possible;
    }

    private static TaskMasterServer start(Path data, long reserveMebibytes) throws StartException {
        ServerConfig config = TestConfig.reader()
                .set("store", "rocksdb")
                .set("data", data.toString())
                .set("partitions", "8")
                .set("disk.reserve", reserveMebibytes + "MiB")
                .read();
        return TaskMasterServer.start(config, Nodes.factory());
    }

    private static void holds(Path data, Set<String> acknowledged) throws StartException, IOException {
        try (var server = start(data, 0);
                var client = Contents.connect(server.rpcPort())) {
            assertThat(everything(client)).containsAll(acknowledged);
        }
    }

    private static Set<String> everything(TaskMasterClient client) {
        Set<String> all = new TreeSet<>();
        for (int queue = 0; queue < DiskLoad.QUEUES; queue++) {
            PeekRequest request = PeekRequest.of(DiskLoad.queue(queue)).maxTasks(5_000);
            PeekResult page = client.blocking().peek(request);
            add(all, queue, page);
            while (page.next().isPresent()) {
                page = client.blocking().peek(request.from(page.next().get()));
                add(all, queue, page);
            }
        }
        return all;
    }

    private static void add(Set<String> all, int queue, PeekResult page) {
        page.tasks().forEach(task -> all.add(queue + "/" + task.pid()));
    }

    /** Leases and dequeues everything. No call may be refused. */
    private static Set<String> drain(TaskMasterClient client) throws TaskMasterException {
        Set<String> all = new TreeSet<>();
        for (int queue = 0; queue < DiskLoad.QUEUES; queue++) {
            LeaseRequest request =
                    LeaseRequest.from(DiskLoad.queue(queue)).maxTasks(200).maxBytes(16 << 20);
            for (List<LeasedTask> some = client.blocking().lease(request);
                    !some.isEmpty();
                    some = client.blocking().lease(request)) {
                UpdateBuilder update = Update.in(some.getFirst().queue().group());
                for (LeasedTask task : some) {
                    update.dequeue(task);
                    all.add(queue + "/" + task.pid());
                }
                assertThat(client.blocking().update(update.build()).success()).isTrue();
            }
        }
        return all;
    }

    private List<String> lines(String text) {
        return List.copyOf(logged.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains(text))
                .toList();
    }
}
