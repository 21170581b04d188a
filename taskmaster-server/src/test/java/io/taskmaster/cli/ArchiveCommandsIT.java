package io.taskmaster.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.taskmaster.archive.ArchiveEntry;
import io.taskmaster.archive.ArchiveReader;
import io.taskmaster.archive.ArchiveWriter;
import io.taskmaster.cli.archive.Exporter;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.TransferProgress;
import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.DescribeRequest;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.PeekResult;
import io.taskmaster.client.PeekResult.PeekedTask;
import io.taskmaster.client.QueueOptions;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import io.taskmaster.tests.JavaProgram;
import io.taskmaster.time.Clock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of export from one server and import into another, through files. The contents of the servers are read by a
 * client, independently of the commands.
 */
final class ArchiveCommandsIT {

    private static final Instant LATER = Instant.parse("2999-01-01T00:00:00Z");
    private static final QueueKey QUEUE = QueueKey.of("q");

    private final TaskMasterServer from;
    private final TaskMasterServer to;
    private final String fromAddress;
    private final String toAddress;
    private final TaskMasterClient sourceClient;
    private final TaskMasterClient targetClient;
    private final BlockingClient source;
    private final BlockingClient target;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder = Path.of("");

    ArchiveCommandsIT() throws StartException {
        from = TaskMasterServer.start(TestConfig.freePorts(), Nodes.factory());
        to = TaskMasterServer.start(TestConfig.freePorts(), Nodes.factory());
        fromAddress = "127.0.0.1:" + from.rpcPort();
        toAddress = "127.0.0.1:" + to.rpcPort();
        sourceClient = TaskMasterClient.connect(fromAddress);
        targetClient = TaskMasterClient.connect(toAddress);
        source = sourceClient.blocking();
        target = targetClient.blocking();
    }

    @AfterEach
    void close() {
        sourceClient.close();
        targetClient.close();
        from.close();
        to.close();
    }

    @Test
    void queuesOfAllGroupsComeOutAsTheyWentIn() throws IOException {
        var random = new Random(7);
        List<QueueKey> queues = List.of(
                QueueKey.of("q"),
                QueueKey.of("q2"),
                QueueKey.of("g", "q"),
                QueueKey.of("g", "a"),
                QueueKey.of("h", "ä/1"));
        for (QueueKey queue : queues) {
            UpdateBuilder update = Update.in(queue.group());
            for (int i = 0; i < 50; i++) {
                byte[] pid = new byte[random.nextInt(5)];
                random.nextBytes(pid);
                byte[] data = new byte[random.nextInt(100)];
                random.nextBytes(data);
                Enqueue task = Enqueue.of(queue.name(), Pid.wrap(pid), Bytes.wrap(data));
                update.enqueue(
                        switch (i % 3) {
                            case 0 -> task;
                            case 1 -> task.headers(Map.of("traceparent", "00-" + i));
                            default -> task.notBefore(LATER.plusMillis(i));
                        });
            }
            assertThat(source.update(update.build()).success()).isTrue();
        }
        source.configure(QUEUE, new QueueOptions(true, 5, 9));

        assertThat(run(fromAddress, "export", "--all-groups", "-o", file()))
                .matches("\\d+ tasks of 5 queues exported, %d bytes\n".formatted(Files.size(Path.of(file()))));
        assertThat(run(toAddress, "import", file())).endsWith(" enqueued, 0 collapsed, of 5 queues\n");

        for (QueueKey queue : queues) {
            assertThat(lookedAt(target, queue)).isNotEmpty().isEqualTo(lookedAt(source, queue));
        }
        assertThat(target.describe(DescribeRequest.of(QueueSelector.all()))
                        .total()
                        .summary()
                        .total())
                .isEqualTo(source.describe(DescribeRequest.of(QueueSelector.all()))
                        .total()
                        .summary()
                        .total());
        assertThat(optionsOf(QUEUE)).isEqualTo(new QueueOptions(true, 5, 9));
        assertThat(optionsOf(QueueKey.of("g", "q"))).isEqualTo(new QueueOptions(false, 0, 1));
    }

    @Test
    void aPausedQueueWithoutTasksKeepsItsPause() {
        source.configure(QUEUE, new QueueOptions(true, 5, 9));
        source.configure(QueueKey.of("was set"), new QueueOptions(true, 0, 1));
        source.configure(QueueKey.of("was set"), new QueueOptions(false, 0, 1));

        assertThat(run(fromAddress, "queues")).contains("q ").doesNotContain("was set");
        assertThat(run(fromAddress, "queues", "--min-tasks", "1")).doesNotContain("q ");
        assertThat(run(fromAddress, "export", "-o", file())).startsWith("0 tasks of 1 queues exported");
        assertThat(run(toAddress, "import", file())).isEqualTo("0 enqueued, 0 collapsed, of 1 queues\n");
        assertThat(optionsOf(QUEUE)).isEqualTo(new QueueOptions(true, 5, 9));

        assertThat(run(toAddress, "resume", "q")).isEqualTo("OK\tq\trunning\t5\n");
        assertThat(optionsOf(QUEUE)).isEqualTo(new QueueOptions(false, 5, 9));
    }

    @Test
    void manyPagesOfTasksAndOfBytesComeOutInOneOrder() throws IOException {
        enqueue(source, QUEUE, 0, 4321, 10);
        enqueue(source, QueueKey.of("large"), 0, 10, 3 << 20);

        run(fromAddress, "export", "-o", file());
        run(toAddress, "import", file(), "--service-class", "bulk");

        assertThat(lookedAt(target, QUEUE)).hasSize(4321).isEqualTo(lookedAt(source, QUEUE));
        assertThat(lookedAt(target, QueueKey.of("large")))
                .hasSize(10)
                .isEqualTo(lookedAt(source, QueueKey.of("large")));
    }

    @Test
    void moreQueuesThanOnePageOfThemAreAllExported() {
        for (int i = 0; i < 230; i++) {
            enqueue(source, QueueKey.of(i % 2 == 0 ? "even" : "odd", "q" + i), 0, 1, 1);
        }

        assertThat(run(fromAddress, "export", "--match", "q.*", "--all-groups", "-o", file()))
                .startsWith("230 tasks of 230 queues exported");
        assertThat(run(fromAddress, "export", "q7", "q9", "--group", "odd", "-o", file(), "--force"))
                .startsWith("2 tasks of 2 queues exported");
    }

    @Test
    void anImportThatIsRepeatedChangesNothing() {
        enqueue(source, QUEUE, 0, 1200, 10);
        enqueue(target, QUEUE, 1100, 1300, 20);
        run(fromAddress, "export", "q", "-o", file());

        assertThat(run(toAddress, "import", file(), "--json"))
                .isEqualTo("{\"queues\":1,\"enqueued\":1100,\"collapsed\":100}\n");
        List<Seen> once = lookedAt(target, QUEUE);
        assertThat(run(toAddress, "import", file())).isEqualTo("0 enqueued, 1200 collapsed, of 1 queues\n");
        assertThat(lookedAt(target, QUEUE)).hasSize(1300).isEqualTo(once);

        assertThat(run(toAddress, "import", file(), "--if-exists", "replace")).startsWith("1200 enqueued");
        assertThat(lookedAt(target, QUEUE).subList(0, 1200)).isEqualTo(lookedAt(source, QUEUE));
    }

    @Test
    void aRefusalEndsTheImportAndSaysHowFarItCame() {
        enqueue(source, QueueKey.of("a"), 0, 3, 10);
        enqueue(source, QueueKey.of("g", "q"), 0, 1800, 10);
        enqueue(target, QueueKey.of("g", "q"), 1700, 1701, 10);
        run(fromAddress, "export", "--all-groups", "-o", file());

        assertThat(status(toAddress, "import", file(), "--if-exists", "fail")).isEqualTo(1);
        assertThat(err.toString())
                .contains(
                        "stopped after 1500 tasks of queue q of group g; all queues before it are whole",
                        "ALREADY_EXISTS: ",
                        "in an update of 300 tasks");
        assertThat(out.toString()).startsWith("1503 enqueued, 0 collapsed");
        assertThat(lookedAt(target, QueueKey.of("g", "q"))).hasSize(1501);
    }

    @Test
    void whatStaysWhileOthersWorkIsExportedOnce() throws IOException, InterruptedException {
        enqueue(source, QUEUE, 0, 20_000, 400);
        var quiet = new Terminal(
                new ByteArrayInputStream(new byte[0]),
                new PrintWriter(out),
                new PrintWriter(err),
                false,
                Clock.system());
        var others = new BusyClients(source, QUEUE, Files.newOutputStream(Path.of(file())));

        try (var archive = new ArchiveWriter(others);
                TransferProgress transferProgress = TransferProgress.of(quiet, "export", 20_000)) {
            new Exporter(sourceClient, archive, transferProgress).export(QueueSelector.of(QUEUE));
            archive.finish();
        }

        assertThat(others.turns()).isGreaterThan(10);
        List<Pid> exported = new ArrayList<>();
        for (ArchiveEntry entry : entries(Path.of(file()))) {
            if (entry instanceof ArchiveEntry.Task task) {
                assertThat(task.notBefore()).isEmpty();
                exported.add(task.pid());
            }
        }
        assertThat(exported).isSorted().doesNotHaveDuplicates();
        List<Pid> stayed = new ArrayList<>();
        for (int i = 0; i < 20_000; i += 2) {
            stayed.add(pid(i));
        }
        assertThat(exported).containsAll(stayed);
    }

    @Test
    void aLeasedTaskIsAvailableInItsCopyAndCountsItsAttemptsAnew() {
        enqueue(source, QUEUE, 0, 2, 10);
        source.lease(LeaseRequest.from(QUEUE).length(Duration.ofHours(1)));
        run(fromAddress, "export", "q", "-o", file());
        run(toAddress, "import", file());

        assertThat(target.lease(LeaseRequest.from(QUEUE).maxTasks(9)))
                .extracting(LeasedTask::pid, LeasedTask::attempt)
                .containsExactly(tuple(pid(0), 1), tuple(pid(1), 1));
    }

    @Test
    void whatTheServerNamesComesBehindWhatWasImported() {
        source.enqueue(QUEUE, Bytes.of("first"));
        source.enqueue(QUEUE, Bytes.of("second"));
        run(fromAddress, "export", "q", "-o", file());
        run(toAddress, "import", file());
        target.enqueue(QUEUE, Bytes.of("third"));

        assertThat(target.lease(LeaseRequest.from(QUEUE).maxTasks(9)))
                .extracting(task -> task.data().toString())
                .containsExactly("first", "second", "third");
    }

    @Test
    void queuesMayGetOtherNamesAndKeepWhatTheTargetSays() {
        enqueue(source, QUEUE, 0, 5, 10);
        enqueue(source, QueueKey.of("r"), 0, 2, 10);
        source.configure(QUEUE, new QueueOptions(true, 1, 1));
        run(fromAddress, "export", "-o", file());

        run(toAddress, "import", file(), "--rename", "q=restored", "--no-options");

        assertThat(lookedAt(target, QUEUE)).isEmpty();
        assertThat(lookedAt(target, QueueKey.of("restored"))).isEqualTo(lookedAt(source, QUEUE));
        assertThat(lookedAt(target, QueueKey.of("r"))).hasSize(2);
        assertThat(optionsOf(QueueKey.of("restored")).paused()).isFalse();
    }

    @Test
    void aFileIsReplacedOnlyByForceAndNeverByHalfAnExport() throws IOException {
        enqueue(source, QUEUE, 0, 5, 10);
        Files.writeString(Path.of(file()), "mine");

        assertThat(status(fromAddress, "export", "-o", file())).isEqualTo(1);
        assertThat(err.toString()).contains("exists already (expected: a new file, or --force)");
        from.close();
        assertThat(status(fromAddress, "export", "-o", file(), "--force", "--timeout", "300ms"))
                .isEqualTo(1);

        assertThat(Files.readString(Path.of(file()))).isEqualTo("mine");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).hasSize(1);
        }
    }

    @Test
    void everythingBeforeDamageIsImportedAndNothingBehindIt() throws IOException {
        enqueue(source, QUEUE, 0, 6, 600_000);
        run(fromAddress, "export", "-o", file());
        byte[] bytes = Files.readAllBytes(Path.of(file()));
        int third = behindBlock(bytes, behindBlock(bytes, 8));
        bytes[third + 100] ^= 1;
        Files.write(Path.of(file()), bytes);

        assertThat(status(toAddress, "import", file())).isEqualTo(1);
        assertThat(err.toString())
                .contains(
                        file() + ": offset " + third + ": checksum of a block: ",
                        "stopped after 2 tasks of queue q; all queues before it are whole");
        assertThat(out.toString()).isEqualTo("2 enqueued, 0 collapsed, of 1 queues\n");
        assertThat(lookedAt(target, QUEUE)).isEqualTo(lookedAt(source, QUEUE).subList(0, 2));

        assertThat(status(toAddress, "import", file(), "--dry-run")).isEqualTo(1);
        assertThat(err.toString()).contains("offset " + third);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aDryRunShowsWhatIsInTheFileAndNeedsNoServer() {
        enqueue(source, QUEUE, 0, 5, 10);
        source.enqueue(QueueKey.of("g", "r"), Pid.of("p"), Bytes.EMPTY);
        source.update(Update.in("g")
                .enqueue(Enqueue.of(QueueKey.of("r").name(), Pid.of("q"), Bytes.of("x"))
                        .notBefore(LATER))
                .build());
        source.configure(QUEUE, new QueueOptions(true, 7, 2));
        run(fromAddress, "export", "--all-groups", "-o", file());
        to.close();

        assertThat(run(toAddress, "import", file(), "--dry-run")
                        .lines()
                        .map(line -> line.strip().replaceAll(" +", " ")))
                .containsExactly(
                        "GROUP QUEUE TASKS DELAYED BYTES PAUSED MAX LEASED WEIGHT",
                        "q 5 0 50 yes 7 2",
                        "g r 2 1 1 no - 1");
        assertThat(run(toAddress, "import", file(), "--dry-run", "--json"))
                .contains(
                        "{\"group\":\"g\",\"queue\":\"r\",\"tasks\":2,\"delayed\":1,\"data_bytes\":1,\"paused\":false");
    }

    @Test
    void whatCannotBeReadIsSaidInALine() throws IOException {
        assertThat(status(toAddress, "import", file())).isEqualTo(1);
        assertThat(err.toString()).isEqualTo("taskmaster: " + file() + " (No such file or directory)\n");
        Files.writeString(Path.of(file()), "neither");
        assertThat(status(toAddress, "import", file())).isEqualTo(1);
        assertThat(err.toString()).contains("offset 0: not an archive of TaskMaster", "stopped before the first task");
        assertThat(status(toAddress, "import", file(), "--group", "g")).isEqualTo(2);
        assertThat(err.toString()).contains("--group: the file names the groups");
    }

    @Test
    void anArchiveGoesThroughAPipeOfProcesses() throws Exception {
        enqueue(source, QUEUE, 0, 5000, 100);
        Path exported = folder.resolve("export.err");
        Path imported = folder.resolve("import.out");

        List<Process> pipe = ProcessBuilder.startPipeline(List.of(
                process(fromAddress, "export", "q", "-o", "-").redirectError(exported.toFile()),
                process(toAddress, "import", "-", "--json").redirectOutput(imported.toFile())));

        for (Process process : pipe) {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        }
        assertThat(Files.readString(exported)).startsWith("5000 tasks of 1 queues exported, ");
        assertThat(Files.readString(imported)).isEqualTo("{\"queues\":1,\"enqueued\":5000,\"collapsed\":0}\n");
        assertThat(lookedAt(target, QUEUE)).hasSize(5000).isEqualTo(lookedAt(source, QUEUE));
    }

    private static ProcessBuilder process(String server, String... words) {
        var command = new ArrayList<>(JavaProgram.onClassPath());
        command.add(Main.class.getName());
        command.addAll(List.of(words));
        command.addAll(List.of("--server", server));
        return new ProcessBuilder(command);
    }

    private static int behindBlock(byte[] archive, int block) {
        return block + 8 + ByteBuffer.wrap(archive).getInt(block) + 4;
    }

    private static List<ArchiveEntry> entries(Path file) throws IOException {
        List<ArchiveEntry> entries = new ArrayList<>();
        try (var archive = new ArchiveReader(Files.newInputStream(file))) {
            for (Optional<ArchiveEntry> next = archive.next(); next.isPresent(); next = archive.next()) {
                entries.add(next.get());
            }
        }
        return entries;
    }

    /** The parts of a task that an import restores. Immutable. */
    private record Seen(
            Pid pid, Bytes data, Map<String, String> headers, PeekResult.State state, Optional<Instant> until) {

        static Seen of(PeekedTask task) {
            return new Seen(task.pid(), task.data(), task.headers(), task.state(), task.until());
        }
    }

    private static List<Seen> lookedAt(BlockingClient client, QueueKey queue) {
        List<Seen> tasks = new ArrayList<>();
        Optional<Pid> next = Optional.of(Pid.EMPTY);
        while (next.isPresent()) {
            PeekResult page = client.peek(new PeekRequest(queue, next.get(), 777, true, 0));
            page.tasks().forEach(task -> tasks.add(Seen.of(task)));
            next = page.next();
        }
        return tasks;
    }

    private QueueOptions optionsOf(QueueKey queue) {
        return target.describe(DescribeRequest.of(QueueSelector.of(queue)))
                .queues()
                .getFirst()
                .options();
    }

    private static void enqueue(BlockingClient client, QueueKey queue, int first, int end, int size) {
        var random = new Random(first);
        for (int i = first; i < end; ) {
            UpdateBuilder update = Update.in(queue.group());
            int behind = Math.min(end, i + Math.clamp(2_000_000 / size, 1, 2000));
            for (; i < behind; i++) {
                byte[] data = new byte[size];
                random.nextBytes(data);
                update.enqueue(
                        Enqueue.of(queue.name(), pid(i), Bytes.wrap(data)).ifExists(IfExists.FAIL));
            }
            assertThat(client.update(update.build()).success()).isTrue();
        }
    }

    private static Pid pid(int i) {
        return Pid.of("%06d".formatted(i));
    }

    private String file() {
        return folder.resolve("queues.tma").toString();
    }

    private String run(String server, String... words) {
        assertThat(status(server, words))
                .as(() -> String.join(" ", words) + ": " + err)
                .isZero();
        assertThat(err.toString()).isEmpty();
        return out.toString();
    }

    private int status(String server, String... words) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        var all = new ArrayList<>(List.of(words));
        all.add("--server");
        all.add(server);
        var terminal = new Terminal(
                new ByteArrayInputStream("".getBytes(UTF_8)),
                new PrintWriter(out),
                new PrintWriter(err),
                false,
                Clock.system());
        return new Commands(terminal, List.of()).run(all.toArray(String[]::new));
    }
}
