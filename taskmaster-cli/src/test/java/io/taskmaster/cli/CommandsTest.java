package io.taskmaster.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.common.base.Splitter;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Counts;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Reply;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.TestPorts;
import io.taskmaster.proxy.access.Protection;
import io.taskmaster.proxy.program.ExitStatus;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.proxy.route.FakeRouter;
import io.taskmaster.proxy.rpc.RpcServer;
import io.taskmaster.proxy.rpc.RpcServerOptions;
import io.taskmaster.time.Clock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Tests of command lines and their output, against a port in front of a fake router. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CommandsTest {

    /** A lease id that is negative if read as a signed number. */
    private static final long LARGE_LEASE = 0xfedc_ba98_7654_3210L;

    private static final Pid BINARY = Pid.wrap(new byte[] {0, (byte) 0xff});

    /** A command of another module. Immutable. */
    private record Further(String name, Callable<Integer> action) implements CommandProvider {

        @Override
        public Object command() {
            return CommandLine.Model.CommandSpec.wrapWithoutInspection(action);
        }
    }

    private final FakeRouter node = new FakeRouter(4);
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private RpcServer server;

    @BeforeAll
    void start() throws IOException {
        TestPorts ports = TestPorts.free();
        server = RpcServer.start(
                ports.listen(),
                ports.inFlight(),
                node,
                List.of(),
                new SimpleMeterRegistry(),
                RpcServerOptions.PLAIN,
                Protection.open(ports.listen(), ports.access()));
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void forget() {
        node.commands.clear();
        node.answering((partition, command) -> FakeRouter.emptyReply(command));
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
    }

    @Test
    void enqueueTakesItsTaskFromTheArguments() {
        assertThat(run(
                        "enqueue",
                        "q",
                        "some data",
                        "--pid",
                        "base64:AP8=",
                        "--if-exists",
                        "fail",
                        "--header",
                        "k=v=w",
                        "--group",
                        "g"))
                .isZero();

        assertThat(node.commands).singleElement().isInstanceOfSatisfying(Command.Update.class, update -> {
            assertThat(update.group()).hasToString("g");
            assertThat(update.enqueues())
                    .containsExactly(new Command.Enqueue(
                            QueueName.of("q"),
                            Optional.of(BINARY),
                            new Payload(Bytes.of("some data"), Map.of("k", "v=w")),
                            Command.IfExists.FAIL,
                            0));
        });
        assertThat(out).hasToString("OK\tbase64:AP8=\n");
    }

    @Test
    void enqueueWithoutPidPrintsTheOneThatTheServerAssigned() {
        assertThat(run("enqueue", "q", "--json")).isZero();

        JsonObject json = JsonParser.parseString(out.toString()).getAsJsonObject();
        assertThat(json.get("pid").getAsString()).isEqualTo("assigned");
        assertThat(json.get("status").getAsString()).isEqualTo("OK");
    }

    @Test
    void aRefusedEnqueueSaysWhyAndFails() {
        node.answering((partition, command) -> new Reply.Updated(
                false, List.of(Reply.Status.ALREADY_EXISTS), List.of(), List.of(), List.of(), List.of()));

        assertThat(run("enqueue", "q", "d", "--pid", "p", "--if-exists", "fail"))
                .isEqualTo(1);

        assertThat(err)
                .hasToString("taskmaster: ALREADY_EXISTS: q p: a task with this PID exists; nothing was changed\n");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void linesOfStandardInputBecomeBatchesOfTasks() {
        String lines =
                IntStream.range(0, 2_500).mapToObj(i -> "p" + i + "\tdata " + i).collect(Collectors.joining("\n"));

        assertThat(runWithInput(lines, "enqueue", "q", "-", "--with-pids", "--batch", "1000"))
                .isZero();

        assertThat(out).hasToString("2500 enqueued, 0 collapsed\n");
        List<Command.Enqueue> enqueues = new ArrayList<>();
        node.commands.forEach(command -> enqueues.addAll(((Command.Update) command).enqueues()));
        assertThat(node.commands).hasSize(3);
        assertThat(enqueues).hasSize(2_500);
        assertThat(enqueues)
                .extracting(Command.Enqueue::pid, enqueue -> enqueue.payload().data())
                .contains(tuple(Optional.of(Pid.of("p2499")), Bytes.of("data 2499")));
    }

    @Test
    void linesWithoutPidsStayInTheirOrder() {
        String lines = IntStream.range(0, 500).mapToObj(Integer::toString).collect(Collectors.joining("\n"));

        assertThat(runWithInput(lines, "enqueue", "q", "-", "--batch", "10")).isZero();

        assertThat(updates().stream()
                        .flatMap(update -> update.enqueues().stream())
                        .map(enqueue -> enqueue.payload().data().toString())
                        .collect(Collectors.joining("\n")))
                .isEqualTo(lines);
    }

    @Test
    void linesThatFillAnUpdateBeforeTheirNumberDoesAreSentInSeveral() {
        String threeMebibytes = "\u20ac".repeat(1 << 20);

        assertThat(runWithInput((threeMebibytes + "\n").repeat(6), "enqueue", "q", "-"))
                .isZero();

        assertThat(updates())
                .extracting(update -> update.enqueues().size())
                .as("tasks of each update, at 8 MiB or more")
                .containsExactly(3, 3);
    }

    @Test
    void headersCountAsPartOfTheirLines() {
        String header = "h=" + "x".repeat(8_000);

        assertThat(runWithInput("\n".repeat(2_000), "enqueue", "q", "-", "--batch", "2000", "--header", header))
                .isZero();

        assertThat(updates()).hasSize(2);
    }

    @Test
    void aRefusedBatchEndsTheLinesAndSaysHowFarTheyCame() {
        node.answering((partition, command) -> {
            Command.Update update = (Command.Update) command;
            return update.enqueues().getFirst().payload().data().equals(Bytes.of("2"))
                    ? new Reply.Updated(
                            false,
                            List.of(Reply.Status.ABORTED, Reply.Status.ALREADY_EXISTS),
                            List.of(),
                            List.of(),
                            List.of(),
                            List.of())
                    : FakeRouter.emptyReply(command);
        });

        assertThat(runWithInput("0\n1\n2\n3\n", "enqueue", "q", "-", "--batch", "2", "--if-exists", "fail"))
                .isEqualTo(1);

        assertThat(out).hasToString("2 enqueued, 0 collapsed\n");
        assertThat(err.toString()).contains("ALREADY_EXISTS");
    }

    @Test
    void whatLeasePrintsIsWhatDequeueRenewAndReleaseTake() {
        node.answering((partition, command) -> command instanceof Command.Lease
                ? new Reply.Leased(List.of(leased(BINARY, "a\tb"), leased(Pid.of("p"), "x")))
                : FakeRouter.emptyReply(command));

        assertThat(run("lease", "q", "--max", "2", "--for", "30s", "--wait", "5s", "--match", "q.*", "--worker", "w"))
                .isZero();

        assertThat(node.commands.remove()).isInstanceOfSatisfying(Command.Lease.class, lease -> {
            assertThat(lease.maxTasks()).isEqualTo(2);
            assertThat(lease.leaseMillis()).isEqualTo(30_000);
            assertThat(lease.waitMillis()).isEqualTo(5_000);
            assertThat(lease.worker()).isEqualTo("w");
            assertThat(lease.selector().pattern()).hasToString("Optional[q.*]");
        });
        String printed = out.toString();
        assertThat(printed.lines())
                .containsExactly(
                        "q\tbase64:AP8=\t18364758544493064720\t3\t1970-01-01T00:01:00Z\tbase64:YQli",
                        "q\tp\t18364758544493064720\t3\t1970-01-01T00:01:00Z\tx");
        List<String> columns =
                Splitter.on('\t').splitToList(printed.lines().findFirst().orElseThrow());
        String pid = columns.get(1);
        String lease = columns.get(2);

        assertThat(run("dequeue", "q", pid, lease)).isZero();
        assertThat(run("renew", "q", pid, lease, "--for", "2m")).isZero();
        assertThat(run("release", "q", pid, lease)).isZero();
        assertThat(runWithInput(printed, "dequeue", "-")).isZero();

        assertThat(updates())
                .extracting(Command.Update::dequeues, Command.Update::renewals, Command.Update::releases)
                .containsExactly(
                        tuple(List.of(dequeue(BINARY)), List.of(), List.of()),
                        tuple(
                                List.of(),
                                List.of(new Command.Renew(QueueName.of("q"), BINARY, LARGE_LEASE, 120_000)),
                                List.of()),
                        tuple(
                                List.of(),
                                List.of(),
                                List.of(new Command.Release(QueueName.of("q"), BINARY, LARGE_LEASE, 0, false))),
                        tuple(List.of(dequeue(BINARY)), List.of(), List.of()),
                        tuple(List.of(dequeue(Pid.of("p"))), List.of(), List.of()));
    }

    @Test
    void leasedTasksInJsonCanBePipedToo() {
        node.answering((partition, command) -> command instanceof Command.Lease
                ? new Reply.Leased(List.of(leased(BINARY, "tab\there")))
                : FakeRouter.emptyReply(command));
        run("lease", "q", "--json");
        String printed = out.toString();
        assertThat(JsonParser.parseString(printed).getAsJsonObject().get("data").getAsString())
                .isEqualTo("tab\there");
        node.commands.clear();

        assertThat(runWithInput(printed, "release", "-")).isZero();

        assertThat(updates().getFirst().releases())
                .containsExactly(new Command.Release(QueueName.of("q"), BINARY, LARGE_LEASE, 0, false));
    }

    @Test
    void aLostLeaseSaysSoAndFails() {
        node.answering((partition, command) ->
                new Reply.Updated(false, List.of(), List.of(Reply.Status.LEASE_LOST), List.of(), List.of(), List.of()));

        assertThat(run("dequeue", "q", "p", "7")).isEqualTo(1);

        assertThat(err.toString()).startsWith("taskmaster: LEASE_LOST: q p: ");
    }

    @Test
    void queuesAreATableForPeopleAndALineEachInJson() {
        node.answering((partition, command) -> new Reply.Listed(
                List.of(
                        new Reply.Summary(QueueKey.of("g", "long name"), 1_000_000, 2, 0),
                        new Reply.Summary(QueueKey.of("g", "q"), 1, 0, 0)),
                false));

        run("queues");
        assertThat(out.toString().lines())
                .containsExactly(
                        "GROUP  QUEUE      AVAILABLE  LEASED  DELAYED",
                        "g      long name    1000000       2        0",
                        "g      q                  1       0        0");

        out.getBuffer().setLength(0);
        run("queues", "--json", "--all-groups", "--match", "l.*");
        assertThat(out.toString().lines()).hasSize(8).allMatch(line -> line.startsWith("{\"group\":\"g\""));
    }

    @Test
    void describeEndsWithTheTotal() {
        var queue = new Reply.Description(
                new Reply.Summary(QueueKey.of("q"), 5, 1, 0),
                1.25,
                0,
                0,
                Optional.of(1500.0),
                Optional.of(10_000_000L),
                new Counts(0, 0, 0, 3),
                9,
                QueueOptions.NONE,
                List.of(new Reply.LeaseSample(Pid.of("p"), 4711, "w", "127.0.0.1:1", 0, 1000, 1)));
        node.answering((partition, command) -> new Reply.Described(List.of(queue), queue, 1));

        assertThat(run("describe", "--sample", "1")).isZero();
        assertThat(out.toString()).contains("1.5 s", "2 h", "4711", "127.0.0.1:1", "total");

        out.getBuffer().setLength(0);
        assertThat(run("describe", "--json")).isZero();
        JsonObject last = JsonParser.parseString(
                        out.toString().lines().skip(1).findFirst().orElseThrow())
                .getAsJsonObject();
        assertThat(last.getAsJsonObject("total").get("available").getAsLong()).isEqualTo(5);
    }

    @Test
    void peekAsksPageAfterPageUntilItHasEnough() {
        node.answering((partition, command) -> {
            Command.Peek peek = (Command.Peek) command;
            var task = new Reply.PeekedTask(
                    peek.from().isEmpty() ? Pid.of("1") : peek.from(),
                    new Payload(Bytes.of("d"), Map.of()),
                    1,
                    Reply.TaskPhase.AVAILABLE,
                    0,
                    0,
                    0);
            return new Reply.Peeked(List.of(task), Optional.of(Pid.of(peek.from() + "1")));
        });

        assertThat(run("peek", "q", "--max", "3", "--data")).isZero();

        assertThat(out.toString().lines())
                .containsExactly(
                        "1\tAVAILABLE\t0\t1\t1970-01-01T00:00:00Z\t-\td",
                        "1\tAVAILABLE\t0\t1\t1970-01-01T00:00:00Z\t-\td",
                        "11\tAVAILABLE\t0\t1\t1970-01-01T00:00:00Z\t-\td");
    }

    @Test
    void deleteShowsWhatItDeletedAndIsRefusedWithoutAnyQueue() {
        node.answering(
                (partition, command) -> new Reply.Deleted(List.of(new Reply.Summary(QueueKey.of("q"), 10, 1, 0))));

        assertThat(run("delete", "q")).isZero();
        assertThat(out.toString()).contains("q").contains("10");

        assertThat(run("delete")).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("taskmaster: EMPTY_SELECTOR: ")
                .endsWith("Change the request.\n")
                .hasLineCount(1);
    }

    @Test
    void noServerIsSaidInOneLineWithWhatToDo() {
        String nobody = "127.0.0.1:1";

        assertThat(execute("", "queues", "--server", nobody, "--timeout", "2s")).isEqualTo(1);

        assertThat(err.toString())
                .startsWith("taskmaster: NOT_CONNECTED: ")
                .contains("taskmaster server")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "dance",
                "enqueue",
                "enqueue q d --if-exists sometimes",
                "enqueue q --pid base64:*",
                "lease q --for 30",
                "lease q --max many",
                "renew q p",
                "dequeue q",
                "dequeue q p seven",
                "server --set partitions=0",
                "server --set no.such=1",
                "server --store hbase --set hbase.regions=0",
                "server --config /nowhere/at/all.properties"
            })
    void wrongUseEndsWithStatusTwoAndALineThatSaysWhatIsWrong(String line) {
        assertThat(execute(
                        "",
                        Splitter.on(' ').omitEmptyStrings().splitToList(line).toArray(String[]::new)))
                .isEqualTo(2);

        assertThat(err.toString()).isNotBlank();
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void wrongLinesOnStandardInputAreWrongUse() {
        assertThat(runWithInput("only one column\n", "dequeue", "-")).isEqualTo(2);
        assertThat(runWithInput("{not json\n", "dequeue", "-")).isEqualTo(2);
    }

    @Test
    void dataThatAreInUseEndWithStatusThree() {
        Callable<Integer> refused = () -> {
            throw new StartException(ExitStatus.DATA_UNUSABLE, "data: in use", null);
        };

        int status = new Commands(terminal(""), List.of(new Further("server", refused))).run("server");

        assertThat(status).isEqualTo(3);
        assertThat(err).hasToString("taskmaster: data: in use\n");
    }

    @Test
    void helpVersionAndCompletionAreFine() {
        assertThat(execute("", "--help")).isZero();
        assertThat(out.toString()).contains("enqueue", "lease", "completion", "base64:");
        assertThat(execute("", "lease", "--help")).isZero();
        assertThat(execute("", "--version")).isZero();
        assertThat(out.toString()).containsPattern("taskmaster \\d+\\.\\d+");
        assertThat(execute("", "completion")).isZero();
        assertThat(out.toString()).contains("_complete_taskmaster", "(\"bash\" \"zsh\" \"fish\")");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void completionOffersWordsAsTheHelpHasThem(String shell) {
        assertThat(execute("", "completion", shell)).isZero();

        assertThat(out.toString())
                .containsPattern("interactive\\W+bulk")
                .containsPattern("collapse\\W+replace\\W+rerun\\W+fail")
                .doesNotContain("INTERACTIVE", "COLLAPSE", "BASH\"");
    }

    private List<Command.Update> updates() {
        return node.commands.stream().map(Command.Update.class::cast).toList();
    }

    private static Command.Dequeue dequeue(Pid pid) {
        return new Command.Dequeue(QueueName.of("q"), pid, LARGE_LEASE);
    }

    private static Reply.LeasedTask leased(Pid pid, String data) {
        return new Reply.LeasedTask(
                QueueKey.of("q"), pid, new Payload(Bytes.of(data), Map.of()), LARGE_LEASE, 60_000, 3, 0);
    }

    private int run(String... args) {
        return runWithInput("", args);
    }

    private int runWithInput(String input, String... args) {
        var all = new ArrayList<>(List.of(args));
        all.add("--server");
        all.add("127.0.0.1:" + server.port());
        return execute(input, all.toArray(String[]::new));
    }

    private int execute(String input, String... args) {
        return new Commands(terminal(input), List.of()).run(args);
    }

    private Terminal terminal(String input) {
        return new Terminal(
                new ByteArrayInputStream(input.getBytes(UTF_8)),
                new PrintWriter(out),
                new PrintWriter(err),
                false,
                Clock.system());
    }
}
