package io.taskmaster.harness.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import io.taskmaster.harness.chaos.token.RecordingCaller;
import io.taskmaster.harness.machine.SettableClock;
import io.taskmaster.harness.process.ServerPlan;
import io.taskmaster.harness.process.ServerProcess;
import io.taskmaster.testkit.history.HistoryBuffer;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.QueueSummary;
import io.taskmaster.v1.UpdateRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of a server process whose wall clock is set by an hour, back and ahead: time goes on for its clients, leases
 * that have time left are kept, and the server reports the size of each step once.
 */
final class ClockIT {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration LENGTH = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** The correction of the server's time while a test runs, even on a busy machine. */
    private static final long SLEWED_SECONDS = 300;

    private static final Pattern STEP = Pattern.compile("the wall clock was set (forward|back) by (PT\\S+)");
    private static final Pattern HTTP = Pattern.compile("TaskMaster serves.* http=\"?(127\\.0\\.0\\.1:\\d+)");
    private static final QueueSelector HELD = QueueSelector.newBuilder()
            .setGroup(ByteString.copyFromUtf8("held"))
            .addNames(ByteString.copyFromUtf8("held"))
            .build();

    @TempDir
    private Path folder = Path.of("");

    private final HistoryBuffer history = new HistoryBuffer();
    private Optional<SettableClock> settable = Optional.empty();

    @BeforeEach
    void compile() {
        settable = SettableClock.in(folder.resolve("clock"));
        assumeTrue(settable.isPresent(), "no cc: there is no clock that can be set");
    }

    @Test
    void anHourBackOrAheadLeavesLeasesLongPollsAndDelaysAsTheyAre() throws Exception {
        SettableClock clock = settable.orElseThrow();
        ServerPlan plan = plan();
        try (ServerProcess server = ServerProcess.start(clock.under(plan));
                RecordingCaller recordingCaller = RecordingCaller.open(server.target(), "test", history)) {
            recordingCaller.deadline(TIMEOUT);
            TimeCheck check = new TimeCheck(recordingCaller, history, LENGTH, TIMEOUT);
            hold(recordingCaller, HOUR.dividedBy(2));
            List<Duration> settings = List.of(HOUR.negated(), HOUR, Duration.ZERO);
            for (int i = 0; i < settings.size(); i++) {
                clock.set(settings.get(i));

                assertThat(check.wrong()).as("set to %s", settings.get(i)).isEmpty();
                int said = i + 1;
                await().untilAsserted(() -> assertThat(steps(plan)).hasSize(said));
                assertThat(figure(plan, "taskmaster_clock_steps_total")).isEqualTo(said);
                assertThat(Math.round(figure(plan, "taskmaster_clock_ahead_seconds")))
                        .isCloseTo(-settings.get(i).toSeconds(), within(SLEWED_SECONDS));
            }
            assertThat(steps(plan)).extracting(step -> step.group(1)).containsExactly("back", "forward", "back");
            List<Long> hours = List.of(1L, 2L, 1L);
            for (int i = 0; i < hours.size(); i++) {
                long seconds = Duration.parse(steps(plan).get(i).group(2)).toSeconds();
                assertThat(seconds).isCloseTo(Duration.ofHours(hours.get(i)).toSeconds(), within(SLEWED_SECONDS));
            }
            assertThat(held(recordingCaller).getLeased()).isOne();
        }
    }

    /** Plants the former behavior: time did not go back, and so stood still. */
    @Test
    void aTimeThatWaitsForTheWallClockIsFoundOut() throws Exception {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        BugCompiler.compile(
                "io/taskmaster/server/partition/loop/EngineClock.java",
                "jumps ? wallMicros : unslewed - correction(ahead, elapsedMicros)",
                "Math.max(last.micros, wallMicros)",
                classes);
        SettableClock clock = settable.orElseThrow();
        try (ServerProcess server = ServerProcess.start(clock.under(plan().withPatch(classes)));
                RecordingCaller recordingCaller = RecordingCaller.open(server.target(), "test", history)) {
            clock.set(HOUR.negated());

            assertThat(new TimeCheck(recordingCaller, history, LENGTH, LENGTH.multipliedBy(2)).wrong())
                    .hasSize(3);
        }
    }

    private ServerPlan plan() {
        return ServerPlan.in(folder).with("partitions", "4");
    }

    /** Enqueues a task and leases it for so long. */
    private static void hold(RecordingCaller recordingCaller, Duration length) {
        UpdateRequest update = UpdateRequest.newBuilder()
                .setGroup(HELD.getGroup())
                .addEnqueue(Enqueue.newBuilder().setQueue(HELD.getNames(0)))
                .build();
        LeaseRequest lease = LeaseRequest.newBuilder()
                .setQueues(HELD)
                .setMaxTasks(1)
                .setLease(Durations.fromSeconds(length.toSeconds()))
                .build();
        assertThat(recordingCaller.ask(stub -> stub.updateTasks(update)).known())
                .isPresent();
        assertThat(recordingCaller.ask(stub -> stub.leaseTasks(lease)).known().map(LeaseReply::getTasksCount))
                .contains(1);
    }

    private static QueueSummary held(RecordingCaller recordingCaller) {
        DescribeRequest request = DescribeRequest.newBuilder().setQueues(HELD).build();
        Optional<DescribeReply> reply =
                recordingCaller.ask(stub -> stub.describeQueues(request)).known();
        return reply.orElseThrow().getQueues(0).getSummary();
    }

    /** Returns the steps of its wall clock that the server reported. */
    private static List<MatchResult> steps(ServerPlan plan) throws IOException {
        return STEP.matcher(Files.readString(plan.log())).results().toList();
    }

    private static double figure(ServerPlan plan, String name) throws IOException, InterruptedException {
        String address = HTTP.matcher(Files.readString(plan.log()))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + "/metrics"))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request, HttpResponse.BodyHandlers.ofString())
                    .body()
                    .lines()
                    .filter(line -> line.startsWith(name + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
