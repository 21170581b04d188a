package io.taskmaster.proxy.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import io.taskmaster.v1.DescribeReply;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.QueueDescription;
import io.taskmaster.v1.QueueSummary;
import io.taskmaster.v1.Status;
import io.taskmaster.v1.UpdateReply;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests of messages that are written as JSON and read back. */
final class MessageRoundTripTest {

    private static final int SEEDS = 400;

    @Test
    void everyMessageOfTheContractIsReadAsItWasWritten() throws IOException {
        for (ApiOperation<?, ?> apiOperation : ApiOperation.ALL) {
            for (long seed = 0; seed < SEEDS; seed++) {
                assertReadAsWritten(apiOperation.request(), seed);
                assertReadAsWritten(apiOperation.reply(), seed);
            }
        }
    }

    private static void assertReadAsWritten(Message prototype, long seed) throws IOException {
        Message message = RandomMessages.sane(new SplittableRandom(seed)).like(prototype);

        assertThat(MessageReader.read(new StringReader(write(message)), prototype))
                .as("seed %d", seed)
                .isEqualTo(message);
    }

    @Test
    void textIsTextAndOtherBytesAreBase64() throws IOException {
        JsonObject task = firstTask(LeasedTask.newBuilder()
                .setQueue(ByteString.copyFromUtf8("crawl é"))
                .setPid(ByteString.copyFrom(new byte[] {(byte) 0x80, 1}))
                .setLeaseId(-1)
                .setLeaseExpires(Timestamp.newBuilder().setSeconds(1_795_257_000))
                .putHeaders("traceparent", "00-1"));

        assertThat(task.get("queue").getAsString()).isEqualTo("crawl é");
        assertThat(task.has("queue_base64")).isFalse();
        assertThat(task.get("pid_base64").getAsString()).isEqualTo("gAE=");
        assertThat(task.has("pid")).isFalse();
        assertThat(task.get("data").getAsString()).isEmpty();
        assertThat(task.get("lease_id")).hasToString("\"18446744073709551615\"");
        assertThat(task.get("lease_expires").getAsString()).isEqualTo("2026-11-21T10:30:00Z");
        assertThat(task.has("enqueued")).as("a time that is not known").isFalse();
        assertThat(task.get("attempt")).hasToString("0");
        assertThat(task.get("headers")).hasToString("{\"traceparent\":\"00-1\"}");
    }

    @Test
    void aListOfBytesIsInOneSpelling() throws IOException {
        ByteString text = ByteString.copyFromUtf8("a");
        ByteString bytes = ByteString.copyFrom(new byte[] {(byte) 0xff});

        assertThat(write(UpdateReply.newBuilder().addAssignedPid(text).build())).contains("\"assigned_pid\":[\"a\"]");
        assertThat(write(UpdateReply.newBuilder()
                        .addAssignedPid(text)
                        .addAssignedPid(bytes)
                        .build()))
                .contains("\"assigned_pid_base64\":[\"YQ==\",\"/w==\"]")
                .doesNotContain("\"assigned_pid\"");
    }

    @Test
    void zerosAndEmptyListsAreThereToo() throws IOException {
        assertThat(write(UpdateReply.newBuilder().addEnqueueStatus(Status.OK).build()))
                .isEqualTo("{\"success\":false,\"enqueue_status\":[\"OK\"],\"dequeue_status\":[],\"renew_status\":[],"
                        + "\"release_status\":[],\"assigned_pid\":[]}");
    }

    @Test
    void durationsAndSizesAreForPeopleAndTheirTools() throws IOException {
        String description = write(DescribeReply.newBuilder()
                .addQueues(QueueDescription.newBuilder()
                        .setSummary(QueueSummary.newBuilder().setAvailable(12))
                        .setOldestAvailableAge(
                                Duration.newBuilder().setSeconds(90).setNanos(500_000_000))
                        .setMeanLeaseDuration(Duration.getDefaultInstance()))
                .build());

        assertThat(description)
                .contains(
                        "\"available\":\"12\"", "\"oldest_available_age\":\"90.5s\"", "\"mean_lease_duration\":\"0s\"");
    }

    private static JsonObject firstTask(LeasedTask.Builder task) throws IOException {
        return JsonParser.parseString(
                        write(LeaseReply.newBuilder().addTasks(task).build()))
                .getAsJsonObject()
                .getAsJsonArray("tasks")
                .get(0)
                .getAsJsonObject();
    }

    private static String write(Message message) throws IOException {
        var text = new StringWriter();
        MessageWriter.write(message, text);
        return text.toString();
    }
}
