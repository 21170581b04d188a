package io.taskmaster.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.Status;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HistoryFileTest {

    private static final UpdateRequest ENQUEUE = UpdateRequest.newBuilder()
            .addEnqueue(Enqueue.newBuilder()
                    .setQueue(ByteString.copyFromUtf8("q"))
                    .setData(ByteString.copyFrom(new byte[] {0, -1, '"', '\n'}))
                    .putHeaders("trace", "\"é\""))
            .build();

    private static final UpdateReply ENQUEUED = UpdateReply.newBuilder()
            .setSuccess(true)
            .addEnqueueStatus(Status.OK)
            .addAssignedPid(ByteString.copyFrom(new byte[] {-128, 1}))
            .build();

    private static final LeaseReply LEASED = LeaseReply.newBuilder()
            .addTasks(LeasedTask.newBuilder().setLeaseId(-7L).setAttempt(3))
            .build();

    /**
     * Lines as Python's json and json_format write them: with spaces, fields in their order, either spelling of names,
     * and numbers as text.
     */
    private static final String PYTHON = """
            {"event": "invoked", "number": 5, "client": "py", "micros": 1000, "method": "UpdateTasks", "request": {"enqueue": [{"queue": "cQ==", "data": "ZA==", "if_exists": "FAIL"}], "requestId": "aWQ="}}
            {"event": "completed", "number": 5, "micros": 1500, "outcome": "replied", "reply": {"success": true, "enqueue_status": ["OK"], "assignedPid": ["gAE="]}}
            {"event": "invoked", "number": 6, "client": "py", "micros": 2000, "method": "LeaseTasks", "request": {"queues": {"names": ["cQ=="]}, "lease": "1.500s"}}
            {"event": "completed", "number": 6, "micros": 2500, "outcome": "failed"}
            """;

    @TempDir
    Path folder;

    @Test
    void whatIsWrittenIsReadAgain() throws IOException {
        History history = new History(List.of(
                new RecordedCall(1, "a", 10, 20, ENQUEUE, new RecordedOutcome.Replied(ENQUEUED)),
                new RecordedCall(
                        2, "b \"", 11, 12, LeaseRequest.getDefaultInstance(), new RecordedOutcome.Replied(LEASED)),
                new RecordedCall(
                        3, "a", 21, 30, ENQUEUE, new RecordedOutcome.Failed("RESOURCE_EXHAUSTED", "OVERLOADED")),
                new RecordedCall(4, "a", 31, 40, ENQUEUE, new RecordedOutcome.Unknown("DEADLINE_EXCEEDED", "")),
                new RecordedCall(5, "a", 41, RecordedCall.NEVER, ENQUEUE, RecordedOutcome.IN_FLIGHT)));
        Path file = folder.resolve("history");

        HistoryWriter.write(file, history);

        assertThat(HistoryReader.read(file)).isEqualTo(history);
    }

    @Test
    void whatPythonWritesIsRead() throws IOException {
        History history = HistoryReader.parse("python", PYTHON);

        assertThat(history.calls()).hasSize(2);
        assertThat(history.calls().getFirst().recordedOutcome())
                .isEqualTo(new RecordedOutcome.Replied(UpdateReply.newBuilder()
                        .setSuccess(true)
                        .addEnqueueStatus(Status.OK)
                        .addAssignedPid(ByteString.copyFrom(new byte[] {-128, 1}))
                        .build()));
        assertThat(history.calls().getLast().recordedOutcome()).isEqualTo(new RecordedOutcome.Failed("", ""));
        assertThat(history.calls().getLast().request())
                .isInstanceOfSatisfying(
                        LeaseRequest.class,
                        lease -> assertThat(lease.getLease())
                                .isEqualTo(com.google.protobuf.Duration.newBuilder()
                                        .setSeconds(1)
                                        .setNanos(500_000_000)
                                        .build()));
    }

    @Test
    void aFileMayBeCutOffAnywhere() throws IOException {
        Path file = folder.resolve("torn");
        HistoryWriter.write(
                file,
                new History(List.of(
                        new RecordedCall(1, "a", 10, 20, ENQUEUE, new RecordedOutcome.Replied(ENQUEUED)),
                        new RecordedCall(2, "é", 30, 40, ENQUEUE, new RecordedOutcome.Replied(ENQUEUED)))));
        byte[] intact = Files.readAllBytes(file);

        for (int length = 0; length <= intact.length; length++) {
            Files.write(file, java.util.Arrays.copyOf(intact, length));
            History history = HistoryReader.read(file);
            assertThat(history.size()).isBetween(0, 2);
            if (length < intact.length - 1 && history.size() == 2) {
                assertThat(history.calls().getLast().recordedOutcome()).isEqualTo(RecordedOutcome.IN_FLIGHT);
            }
        }
    }

    @Test
    void whatIsWrongIsNamedByItsLine() {
        List<String> lines = PYTHON.lines().toList();

        assertThatThrownBy(() -> parse(lines.get(0), "{\"event\": ", lines.get(1)))
                .isInstanceOfSatisfying(
                        HistoryFormatException.class,
                        error -> assertThat(error.line()).isEqualTo(2))
                .hasMessageStartingWith("file:2: not an event");
        assertThatThrownBy(() -> parse(lines.get(1)))
                .hasMessageContaining("number: 5 (expected: the number of a call in flight)");
        assertThatThrownBy(() -> parse(lines.get(0), lines.get(1), lines.get(1)))
                .hasMessage("file:3: number: 5 (expected: the number of a call in flight)");
        assertThatThrownBy(() -> parse(lines.get(0), lines.get(0))).hasMessageContaining("expected: a new number");
        assertThatThrownBy(() -> parse(lines.get(0).replace("UpdateTasks", "Update")))
                .hasMessageContaining("method: Update (expected: one of");
        assertThatThrownBy(() -> parse(lines.get(0).replace("if_exists", "if_there")))
                .hasMessageContaining("if_there");
        assertThatThrownBy(() -> parse(lines.get(0).replace("\"micros\"", "\"time\"")))
                .hasMessage("file:1: micros: missing");
    }

    @Test
    void filesOfSeveralProcessesBecomeOneHistory() throws IOException {
        Path one = folder.resolve("one");
        Path two = folder.resolve("two");
        HistoryWriter.write(one, History.of(List.of(call("a", 10), call("a", 30))));
        HistoryWriter.write(two, History.of(List.of(call("b", 20), call("b", 40))));

        History history = HistoryReader.readAll(List.of(one, two));

        assertThat(history.calls()).extracting(RecordedCall::client).containsExactly("a", "b", "a", "b");
        assertThat(history.calls()).extracting(RecordedCall::number).containsExactly(1L, 2L, 3L, 4L);
    }

    private static RecordedCall call(String client, long micros) {
        return new RecordedCall(1, client, micros, micros + 5, ENQUEUE, new RecordedOutcome.Replied(ENQUEUED));
    }

    private static History parse(String... lines) throws IOException {
        return HistoryReader.parse("file", String.join("\n", lines) + "\n");
    }
}
