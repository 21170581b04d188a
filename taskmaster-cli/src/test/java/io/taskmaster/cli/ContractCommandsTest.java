package io.taskmaster.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.time.Clock;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.IfExists;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.PeekReply;
import io.taskmaster.v1.PeekedTask;
import io.taskmaster.v1.QueueDescription;
import io.taskmaster.v1.QueueOptions;
import io.taskmaster.v1.QueueSummary;
import io.taskmaster.v1.ServiceClass;
import io.taskmaster.v1.UpdateRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the requests that commands send, and of the output for replies, by the contract. */
final class ContractCommandsTest {

    private static final long NOW_SECONDS = 1_000_000;

    private static final Clock CLOCK = new Clock() {
        @Override
        public long wallMillis() {
            return NOW_SECONDS * 1_000;
        }

        @Override
        public long nanos() {
            return 0;
        }
    };

    private final FakeContract service;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    ContractCommandsTest() throws IOException {
        service = new FakeContract();
    }

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void aDelayCountsFromNowByTheClockOfThisMachine() {
        assertThat(run("enqueue", "q", "d", "--delay", "5m")).isZero();
        assertThat(run("release", "q", "p", "7", "--delay", "90s")).isZero();

        assertThat(update(0).getEnqueue(0).getNotBefore()).isEqualTo(seconds(NOW_SECONDS + 300));
        assertThat(update(1).getRelease(0).getNotBefore()).isEqualTo(seconds(NOW_SECONDS + 90));
        assertThat(update(1).getRelease(0).getLeaseId()).isEqualTo(7);
    }

    @Test
    void aTimeIsGivenInRfc3339WithAnyOffset() {
        assertThat(run("enqueue", "q", "d", "--not-before", "1970-01-12T13:46:40.5Z"))
                .isZero();
        assertThat(run("release", "q", "p", "--not-before", "1970-01-12T15:46:40+02:00"))
                .isZero();

        assertThat(update(0).getEnqueue(0).getNotBefore())
                .isEqualTo(
                        seconds(NOW_SECONDS).toBuilder().setNanos(500_000_000).build());
        assertThat(update(1).getRelease(0).getNotBefore()).isEqualTo(seconds(NOW_SECONDS));
    }

    @Test
    void everyLineOfStandardInputIsDelayed() {
        assertThat(runWithInput("a\nb\n", "enqueue", "q", "-", "--delay", "1s")).isZero();
        assertThat(update(0).getEnqueueList())
                .hasSize(2)
                .allMatch(task -> task.getNotBefore().equals(seconds(NOW_SECONDS + 1)));
    }

    @Test
    void aTaskWithoutDelaySaysNothingOfTime() {
        run("enqueue", "q", "d");
        run("release", "q", "p");
        assertThat(update(0).getEnqueue(0).hasNotBefore()).isFalse();
        assertThat(update(1).getRelease(0).hasNotBefore()).isFalse();
    }

    @Test
    void enqueueCanRunATaskOnceMore() {
        assertThat(run("enqueue", "q", "d", "--pid", "p", "--if-exists", "rerun"))
                .isZero();
        assertThat(update(0).getEnqueue(0).getIfExists()).isEqualTo(IfExists.RERUN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"enqueue q d --pid p", "dequeue q p 7", "renew q p 7", "release q p 7"})
    void everyUpdateCanBeNamedAndIsAsUrgentAsItSays(String line) {
        assertThat(run((line + " --request-id base64:AP8= --service-class bulk").split(" ", -1)))
                .isZero();

        assertThat(update(0).getRequestId()).isEqualTo(ByteString.copyFrom(new byte[] {0, -1}));
        assertThat(update(0).getServiceClass()).isEqualTo(ServiceClass.BULK);
    }

    @Test
    void linesOfBulkAreBulk() {
        assertThat(runWithInput("a\nb\n", "enqueue", "q", "-", "--batch", "1", "--service-class", "bulk"))
                .isZero();
        assertThat(service.requests)
                .hasSize(2)
                .allMatch(request -> ((UpdateRequest) request).getServiceClass() == ServiceClass.BULK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "enqueue q - --request-id x",
                "dequeue - --request-id x",
                "enqueue q d --request-id base64:",
                "enqueue q d --delay 1m --not-before 2026-01-01T00:00:00Z",
                "enqueue q d --not-before tomorrow",
                "release q p --delay soon",
                "enqueue q d --service-class urgent",
                "configure q",
                "configure q --paused --resumed",
                "configure q --max-leased many",
                "configure --paused",
                "pause",
                "resume"
            })
    void wrongUseEndsWithStatusTwoAndSendsNothing(String line) {
        assertThat(run(line.split(" ", -1))).isEqualTo(2);
        assertThat(err.toString()).isNotBlank();
        assertThat(service.requests).isEmpty();
    }

    @Test
    void leaseCanCapEachQueueAndYield() {
        run("lease", "--match", ".*", "--max-leased-per-queue", "2", "--service-class", "bulk");
        LeaseRequest request = (LeaseRequest) service.requests.getFirst();
        assertThat(request.getMaxLeasedPerQueue()).isEqualTo(2);
        assertThat(request.getServiceClass()).isEqualTo(ServiceClass.BULK);
        assertThat(request.getQueues().getAllGroups()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--json"})
    void tasksOfAllGroupsGoBackToTheirOwn(String json) {
        service.leased = LeaseReply.newBuilder()
                .addTasks(leased("g", "a\tb"))
                .addTasks(leased("", "x"))
                .build();
        run(("lease q --all-groups --max 2 " + json).split(" +", -1));
        assertThat(((LeaseRequest) service.requests.getFirst()).getQueues().getAllGroups())
                .isTrue();
        String printed = out.toString();
        service.requests.clear();

        assertThat(runWithInput(printed, "dequeue", "-", "--group", "h")).isZero();

        assertThat(service.requests)
                .extracting(request -> ((UpdateRequest) request).getGroup().toStringUtf8())
                .containsExactly("g", "");
    }

    @Test
    void allOptionsTogetherAreSetWithoutLooking() {
        assertThat(run("configure", "q", "--paused", "--max-leased", "3", "--group", "g"))
                .isZero();
        assertThat(run("resume", "q", "--max-leased", "0", "--json")).isZero();

        assertThat(service.requests).containsExactly(configure("g", true, 3), configure("", false, 0));
        assertThat(out).hasToString("""
                OK\tq\tpaused\t3
                {"group":"","queue":"q","paused":false,"max_leased":0}
                """);
    }

    @Test
    void theOtherOptionStaysAsItIs() {
        service.described = describing(true, 3);

        assertThat(run("configure", "q", "--max-leased", "5")).isZero();
        assertThat(run("configure", "q", "--resumed")).isZero();
        assertThat(run("resume", "q")).isZero();
        assertThat(run("pause", "q")).isZero();

        assertThat(service.requests)
                .filteredOn(ConfigureRequest.class::isInstance)
                .containsExactly(
                        configure("", true, 5),
                        configure("", false, 3),
                        configure("", false, 3),
                        configure("", true, 3));
    }

    @Test
    void aWeightIsSetWhereItIsGivenAndOtherwiseStaysAsItIs() {
        service.described = describing(true, 3);

        assertThat(run("configure", "q", "--weight", "20")).isZero();
        assertThat(run("configure", "q", "--resumed", "--max-leased", "0", "--weight", "2", "--json"))
                .isZero();
        assertThat(run("configure", "q", "--weight", "-1")).isNotZero();

        assertThat(service.requests)
                .filteredOn(ConfigureRequest.class::isInstance)
                .extracting(request -> ((ConfigureRequest) request).getOptions().getWeight())
                .containsExactly(20, 2);
        assertThat(out).hasToString("""
                OK\tq\tpaused\t3\t20
                {"group":"","queue":"q","paused":false,"max_leased":0,"weight":2}
                """);
    }

    @Test
    void aQueueThatIsNotShownIsSetToNothingYet() {
        assertThat(run("pause", "q")).isZero();

        assertThat(out).hasToString("OK\tq\tpaused\t0\n");
        assertThat(service.requests)
                .last()
                .isEqualTo(ConfigureRequest.newBuilder()
                        .setQueue(ByteString.copyFromUtf8("q"))
                        .setOptions(io.taskmaster.v1.QueueOptions.newBuilder().setPaused(true))
                        .build());
    }

    @Test
    void describeShowsOptionsOfQueuesAndNoneOfTheTotal() {
        service.described = describing(true, 3);

        assertThat(run("describe", "q")).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines.get(0)).contains("DELAYED").endsWith("PAUSED  MAX LEASED  WEIGHT");
        assertThat(lines.get(1)).containsPattern("yes +3 +1$");
        assertThat(lines.get(2)).contains("total").containsPattern("- +- +-$");

        out.getBuffer().setLength(0);
        run("describe", "q", "--json");
        List<String> json = out.toString().lines().toList();
        assertThat(json.get(0)).contains("\"delayed\":6", "\"paused\":true", "\"max_leased\":3", "\"weight\":1");
        assertThat(json.get(1)).doesNotContain("paused");
    }

    @Test
    void peekShowsUntilWhenATaskIsDelayed() {
        service.peeked = PeekReply.newBuilder()
                .addTasks(PeekedTask.newBuilder()
                        .setPid(utf8("p"))
                        .setState(PeekedTask.State.DELAYED)
                        .setEnqueued(seconds(0))
                        .setUntil(seconds(60)))
                .build();

        run("peek", "q");
        run("peek", "q", "--json");

        List<String> lines = out.toString().lines().toList();
        assertThat(Splitter.on('\t').split(lines.get(0)))
                .containsExactly("p", "DELAYED", "0", "0", "1970-01-01T00:00:00Z", "1970-01-01T00:01:00Z");
        assertThat(lines.get(1)).contains("\"state\":\"DELAYED\"", "\"until\":\"1970-01-01T00:01:00Z\"");
    }

    private UpdateRequest update(int index) {
        return (UpdateRequest) service.requests.get(index);
    }

    private static Message configure(String group, boolean paused, int maxLeased) {
        return ConfigureRequest.newBuilder()
                .setGroup(utf8(group))
                .setQueue(utf8("q"))
                .setOptions(QueueOptions.newBuilder().setPaused(paused).setMaxLeased(maxLeased))
                .build();
    }

    private static DescribeReply describing(boolean paused, int maxLeased) {
        return DescribeReply.newBuilder()
                .addQueues(QueueDescription.newBuilder()
                        .setSummary(QueueSummary.newBuilder().setName(utf8("q")).setDelayed(6))
                        .setOptions(QueueOptions.newBuilder().setPaused(paused).setMaxLeased(maxLeased)))
                .setTotal(QueueDescription.getDefaultInstance())
                .build();
    }

    private static LeasedTask leased(String group, String data) {
        return LeasedTask.newBuilder()
                .setGroup(utf8(group))
                .setQueue(utf8("q"))
                .setPid(utf8("p"))
                .setData(utf8(data))
                .setLeaseId(7)
                .build();
    }

    private static Timestamp seconds(long seconds) {
        return Timestamp.newBuilder().setSeconds(seconds).build();
    }

    private static ByteString utf8(String text) {
        return ByteString.copyFromUtf8(text);
    }

    private int run(String... args) {
        return runWithInput("", args);
    }

    private int runWithInput(String input, String... args) {
        var all = new ArrayList<String>();
        for (String arg : args) {
            if (!arg.isEmpty()) {
                all.add(arg);
            }
        }
        all.add("--server");
        all.add(service.address());
        var terminal = new Terminal(
                new ByteArrayInputStream(input.getBytes(UTF_8)),
                new PrintWriter(out),
                new PrintWriter(err),
                false,
                CLOCK);
        return new Commands(terminal, List.of()).run(all.toArray(String[]::new));
    }
}
